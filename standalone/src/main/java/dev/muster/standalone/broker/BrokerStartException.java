package dev.muster.standalone.broker;

/** The embedded broker cannot serve; the message is one line for the person who started it. */
public sealed class BrokerStartException extends RuntimeException permits BrokerInUseException {
    private static final long serialVersionUID = 1;

    BrokerStartException(String message, Throwable cause) {
        super(message, cause);
    }
}
