package dev.muster.standalone.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A TCP port; 0 for any that is free. */
final class PortConverter implements ITypeConverter<Integer> {
    private static final int LARGEST = 65_535;

    @Override
    public Integer convert(String text) {
        try {
            int port = Integer.parseInt(text);
            if (port >= 0 && port <= LARGEST) {
                return port;
            }
        } catch (NumberFormatException e) {
            // Answered below.
        }
        throw new TypeConversionException("'" + text + "' is not a port, expected a number from 0 to " + LARGEST);
    }
}
