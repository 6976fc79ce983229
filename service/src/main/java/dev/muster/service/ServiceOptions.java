package dev.muster.service;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Arguments of every service. */
final class ServiceOptions {
    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Settings, a properties file. Environment variables MUSTER_... go before it.")
    Path config;

    @Option(
            names = "--check-config",
            description = "Print the settings as they take effect, without secrets, and end; 2 if anything is wrong.")
    boolean check;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    boolean help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Show the version.")
    boolean version;
}
