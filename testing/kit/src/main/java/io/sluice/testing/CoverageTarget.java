package io.sluice.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Gives the parsers of tests with {@link Fuzzing} to Jazzer, whose inputs are led by coverage: {@code testing/fuzz} runs it. The tests run once, to hand
 * over their parsers and sound inputs instead of using them.
 */
public final class CoverageTarget {
    private static Fuzzing.@Nullable Target target;

    private CoverageTarget() {}

    /** Writes the sound inputs of all parsers of test classes below a folder, and prints the parsers' names. */
    public static void main(String[] arguments) throws IOException {
        for (Map.Entry<String, Fuzzing.Target> parser :
                parsers(List.of(arguments).subList(1, arguments.length)).entrySet()) {
            Path folder = Files.createDirectories(Path.of(arguments[0], parser.getKey()));
            int number = 0;
            for (byte[] input : parser.getValue().inputs()) {
                Files.write(folder.resolve("sound-" + number++), input);
            }
            System.out.println(parser.getKey());
        }
    }

    /** Called by Jazzer once; the properties {@code sluice.fuzz.tests} and {@code sluice.fuzz.parser} name classes and parser. */
    public static void fuzzerInitialize() {
        String parser = System.getProperty("sluice.fuzz.parser", "");
        target = parsers(List.of(System.getProperty("sluice.fuzz.tests", "").split(",")))
                .get(parser);
        if (target == null) {
            throw new IllegalArgumentException("no parser " + parser);
        }
    }

    /** Called by Jazzer for each input. */
    public static void fuzzerTestOneInput(byte[] input) {
        if (target != null) {
            target.parse(input);
        }
    }

    private static Map<String, Fuzzing.Target> parsers(List<String> tests) {
        List<Fuzzing.Target> found = new ArrayList<>();
        Fuzzing.collect(found);
        LauncherFactory.create()
                .execute(LauncherDiscoveryRequestBuilder.request()
                        .selectors(tests.stream()
                                .map(DiscoverySelectors::selectClass)
                                .toList())
                        .build());
        Map<String, Fuzzing.Target> parsers = new TreeMap<>();
        found.forEach(each -> parsers.put(each.name(), each));
        return parsers;
    }
}
