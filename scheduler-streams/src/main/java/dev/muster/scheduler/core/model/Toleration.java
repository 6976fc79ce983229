package dev.muster.scheduler.core.model;

/** A pod's toleration (core/v1 Toleration); empty strings mean what empty means in Kubernetes. */
public record Toleration(String key, String operator, String value, String effect) {
    /** Whether this toleration covers the taint, by the rules of core/v1 {@code ToleratesTaint}. */
    public boolean tolerates(Taint taint) {
        if (!effect.isEmpty() && !effect.equals(taint.effect())) {
            return false;
        }
        if (!key.isEmpty() && !key.equals(taint.key())) {
            return false;
        }
        if (operator.equals("Exists")) {
            return true;
        }
        return !key.isEmpty() && value.equals(taint.value());
    }
}
