package dev.muster.binder;

import java.util.List;

/**
 * What a Volcano PodGroup says of itself.
 *
 * @param phase empty while it has none
 */
record PodGroupStatus(String phase, List<Condition> conditions) {
    PodGroupStatus {
        conditions = List.copyOf(conditions);
    }

    /**
     * A condition of a PodGroup.
     *
     * @param status True or False
     * @param transitionId names the change that led to it
     * @param time since when, as in the API; empty where that is not known
     */
    record Condition(String type, String status, String transitionId, String time, String reason, String message) {
        /** Whether it says the same, but for numbers in the sentence. */
        boolean saysTheSame(Condition other) {
            return type.equals(other.type)
                    && status.equals(other.status)
                    && reason.equals(other.reason)
                    && transitionId.equals(other.transitionId);
        }
    }

    /** Whether it says the same, but for numbers in sentences. */
    boolean saysTheSame(PodGroupStatus other) {
        if (!phase.equals(other.phase) || conditions.size() != other.conditions.size()) {
            return false;
        }
        for (int i = 0; i < conditions.size(); i++) {
            if (!conditions.get(i).saysTheSame(other.conditions.get(i))) {
                return false;
            }
        }
        return true;
    }
}
