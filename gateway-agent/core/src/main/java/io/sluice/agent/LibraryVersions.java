package io.sluice.agent;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The oldest supported versions of the host's libraries. Older ones would fail later, with a linkage error on an agent thread. Libraries of unknown
 * version, such as repackaged ones, are accepted.
 */
final class LibraryVersions {
    static final String KAFKA_CLIENTS = "3.9.0";
    static final String JACKSON_CORE = "2.16.0";
    // Kafka's consumer needs org.slf4j.event.Level when it is closed
    static final String SLF4J_API = "1.7.15";
    private static final Pattern NUMBERS = Pattern.compile("(\\d{1,9})\\.(\\d{1,9})(?:\\.(\\d{1,9}))?(?:\\D.*)?");

    private LibraryVersions() {}

    /**
     * Checks the libraries on the class path.
     *
     * @throws IllegalStateException with each library that is too old, its version, the version needed and its jar
     */
    static void check() {
        List<String> problems = new ArrayList<>();
        check("kafka-clients", "kafka/kafka-version.properties", KAFKA_CLIENTS, problems);
        check(
                "jackson-core",
                "META-INF/maven/com.fasterxml.jackson.core/jackson-core/pom.properties",
                JACKSON_CORE,
                problems);
        check("slf4j-api", "META-INF/maven/org.slf4j/slf4j-api/pom.properties", SLF4J_API, problems);
        if (!problems.isEmpty()) {
            throw new IllegalStateException(String.join("; ", problems));
        }
    }

    /** Reads the version from each library's resource: loading its classes could fail. */
    private static void check(String library, String file, String least, List<String> problems) {
        URL place = LibraryVersions.class.getResource("/" + file);
        if (place == null) {
            return;
        }
        Properties properties = new Properties();
        try (InputStream content = place.openStream()) {
            properties.load(content);
        } catch (IOException | IllegalArgumentException e) {
            return;
        }
        String found = properties.getProperty("version", "");
        if (older(found, least)) {
            String jar = place.toString().replaceAll("^jar:|!/[^!]*$", "");
            problems.add(library + " " + found + " is too old, the agent needs " + least + " or newer: " + jar);
        }
    }

    /** Compares the first three numbers; false for versions that do not begin with two numbers. */
    static boolean older(String found, String least) {
        Matcher one = NUMBERS.matcher(found);
        Matcher other = NUMBERS.matcher(least);
        if (!one.matches() || !other.matches()) {
            return false;
        }
        for (int i = 1; i <= 3; i++) {
            int difference = Integer.compare(number(one.group(i)), number(other.group(i)));
            if (difference != 0) {
                return difference < 0;
            }
        }
        return false;
    }

    private static int number(@Nullable String digits) {
        return digits == null ? 0 : Integer.parseInt(digits);
    }
}
