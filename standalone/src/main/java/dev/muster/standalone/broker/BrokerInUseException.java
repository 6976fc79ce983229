package dev.muster.standalone.broker;

/** Another process has the data directory open. */
public final class BrokerInUseException extends BrokerStartException {
    private static final long serialVersionUID = 1;

    BrokerInUseException(String message) {
        super(message, null);
    }
}
