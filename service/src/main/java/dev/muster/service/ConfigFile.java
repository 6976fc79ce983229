package dev.muster.service;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** A file of Java properties in UTF-8, in which no key may stand twice. */
final class ConfigFile {
    private ConfigFile() {}

    /** @throws ConfigException when it cannot be read, or is no such file */
    static Map<String, String> read(Path file) {
        List<String> problems = new ArrayList<>();
        Map<String, String> settings = new TreeMap<>();
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            new Properties() {
                private static final long serialVersionUID = 1;

                @Override
                public synchronized Object put(Object key, Object value) {
                    if (settings.put(key.toString(), value.toString().strip()) != null) {
                        problems.add(file + ": " + key + " is there twice");
                    }
                    return null;
                }
            }.load(reader);
        } catch (NoSuchFileException e) {
            problems.add(file + ": no such file");
        } catch (IOException e) {
            problems.add(file + ": cannot be read: " + e.getMessage());
        } catch (IllegalArgumentException e) {
            problems.add(file + ": not a properties file: " + e.getMessage());
        }
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
        return settings;
    }
}
