package dev.muster.ingest.intake;

/** Carries a {@link Refusal} out of nested checks; never leaves the validator. */
@SuppressWarnings("serial")
final class Refused extends Exception {

    private final Refusal refusal;

    Refused(RefusalReason reason, String field, String message) {
        super(message, null, false, false);
        this.refusal = new Refusal(reason, field, message);
    }

    Refusal refusal() {
        return refusal;
    }
}
