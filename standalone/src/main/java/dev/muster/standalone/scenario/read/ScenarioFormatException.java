package dev.muster.standalone.scenario.read;

/** A scenario file that can't be understood; the message is one line: file, place, field, what was expected. */
public final class ScenarioFormatException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ScenarioFormatException(String message) {
        super(message, null, false, false);
    }

    /** What is wrong at a place, said in one line. */
    public static ScenarioFormatException at(String place, String problem) {
        return new ScenarioFormatException(place + ": " + problem.strip().replaceAll("\\s*\\R\\s*", "; "));
    }
}
