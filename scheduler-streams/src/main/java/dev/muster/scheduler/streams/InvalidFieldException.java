package dev.muster.scheduler.streams;

/** A field that cannot be taken. Never leaves the codecs: {@link EventCodec} makes a {@link Refusal} of it. */
final class InvalidFieldException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String reason;
    private final String field;

    private InvalidFieldException(String reason, String field, String message) {
        super(message, null, false, false);
        this.reason = reason;
        this.field = field;
    }

    static InvalidFieldException of(String field, Object found, String expected) {
        return new InvalidFieldException(
                Refusal.INVALID, field, "is " + Checks.printable(found) + ", expected " + expected);
    }

    static InvalidFieldException saying(String field, String message) {
        return new InvalidFieldException(Refusal.INVALID, field, message);
    }

    static InvalidFieldException wrongDomain(String field, String found, String expected) {
        return new InvalidFieldException(
                Refusal.WRONG_DOMAIN, field, "is " + Checks.printable(found) + ", expected " + expected);
    }

    /** The same, seen from the record or list that holds the field. */
    InvalidFieldException under(String parent) {
        return new InvalidFieldException(reason, parent + "." + field, getMessage());
    }

    Refusal refusal() {
        return new Refusal(reason, field, getMessage());
    }
}
