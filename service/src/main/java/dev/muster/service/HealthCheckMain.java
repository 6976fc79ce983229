package dev.muster.service;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/**
 * Asks a service how it is, for container engines that run a command to find out and images that have no other HTTP client:
 * {@code HealthCheckMain URL} ends with 0 where the answer is 200, else with 1 and a line.
 */
public final class HealthCheckMain {
    private static final int PATIENCE_MILLIS = 3_000;

    private HealthCheckMain() {}

    /** Asks once. */
    public static void main(String[] args) {
        Runtime.getRuntime().exit(ask(args));
    }

    private static int ask(String[] args) {
        if (args.length != 1) {
            System.err.println("expected one argument, a URL such as http://127.0.0.1:9401/readyz");
            return ExitCodes.UNUSABLE;
        }
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) URI.create(args[0]).toURL().openConnection();
            connection.setConnectTimeout(PATIENCE_MILLIS);
            connection.setReadTimeout(PATIENCE_MILLIS);
            if (connection.getResponseCode() == HttpURLConnection.HTTP_OK) {
                return ExitCodes.DONE;
            }
            byte[] why = connection.getErrorStream() == null
                    ? new byte[0]
                    : connection.getErrorStream().readAllBytes();
            System.err.println(args[0] + ": HTTP " + connection.getResponseCode() + " "
                    + new String(why, StandardCharsets.UTF_8).strip());
            return ExitCodes.ENDED;
        } catch (IOException | IllegalArgumentException e) {
            System.err.println(args[0] + ": " + Causes.innermost(e));
            return ExitCodes.ENDED;
        }
    }
}
