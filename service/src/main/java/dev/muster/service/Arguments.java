package dev.muster.service;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ParameterException;

/**
 * What a service was started with.
 *
 * @param answer help or version, where one was asked for
 * @param config the configuration file; absent where the environment says everything
 * @param check whether the configuration is only to be looked at
 */
record Arguments(Optional<String> answer, Optional<Path> config, boolean check) {
    private static final String NO_FILE = "(no file)";

    /** @throws ConfigException when they cannot be understood */
    static Arguments parse(Service<?> service, String[] args) {
        ServiceOptions options = new ServiceOptions();
        CommandLine command = commandLine(service, options);
        try {
            command.parseArgs(args);
        } catch (ParameterException e) {
            throw new ConfigException(List.of(e.getMessage().replaceAll("\\s*\\R\\s*", "; ") + " (see --help)"));
        }
        if (options.help) {
            StringWriter text = new StringWriter();
            command.usage(new PrintWriter(text, true), Ansi.OFF);
            return new Arguments(Optional.of(text.toString()), Optional.empty(), false);
        }
        if (options.version) {
            return new Arguments(Optional.of(service.name() + " " + version(service) + "\n"), Optional.empty(), false);
        }
        return new Arguments(Optional.empty(), Optional.ofNullable(options.config), options.check);
    }

    /** @throws ConfigException when the file cannot be read */
    Values values(Collection<Key<?>> keys, Map<String, String> environment) {
        return Values.of(
                keys,
                config.orElse(Path.of(NO_FILE)),
                config.map(ConfigFile::read).orElse(Map.of()),
                environment);
    }

    private static CommandLine commandLine(Service<?> service, ServiceOptions options) {
        CommandLine command = new CommandLine(options);
        command.setCommandName(service.name()).setUsageHelpWidth(100);
        command.getCommandSpec()
                .usageMessage()
                .header(service.about())
                .footer(
                        "",
                        "Example:",
                        "  " + service.name() + " --config " + service.name() + ".properties",
                        "",
                        "Settings, with their defaults: docs/configuration.md. Logs go to stderr. Health and metrics are",
                        "served over HTTP: /livez, /readyz, /metrics.",
                        "Exit codes: 0 done, 1 it ended by itself, 2 the configuration can't be used, 3 a service can't be",
                        "reached, 143 ended by SIGTERM.");
        return command;
    }

    /** The version that the build wrote into the service's jar. */
    static String version(Service<?> service) {
        Package home = service.getClass().getPackage();
        String version = home == null ? null : home.getImplementationVersion();
        return version == null ? "(not built by Maven)" : version;
    }
}
