package dev.muster.service;

import java.util.List;

/** A configuration that cannot be used. */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient List<String> problems;

    /** With everything that is wrong, a line each. */
    public ConfigException(List<String> problems) {
        super(String.join("; ", problems));
        this.problems = List.copyOf(problems);
    }

    /** Everything that is wrong, a line each. */
    public List<String> problems() {
        return problems;
    }
}
