package io.sluice.faults.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The table of docs/reliability.md: a line for each fault and test, with what was measured when it last ran with {@code -Pfaults}.
 * Without the profile nothing is written. Thread-safe within one JVM.
 */
public final class Reliability {
    static final String HEAD = """
            | row | fault | promise | test | last measured | when, where |
            | ---: | --- | --- | --- | --- | --- |
            """;

    private static final String FILE = "sluice.faults.report";

    private Reliability() {}

    /** Returns whether all repetitions run and bounds of time are asserted: the profile {@code faults}. */
    public static boolean all() {
        return System.getProperty("sluice.faults", "one").equals("all");
    }

    /** Milliseconds that a lock may be seen after its lease: the promised second in the profile, generous on a machine that is not quiet. */
    public static long leaseSlackMillis() {
        return all() ? 1_000 : 10_000;
    }

    /** How often: once, or in the profile as often as said. */
    public static int times(int inProfile) {
        return all() ? inProfile : 1;
    }

    /**
     * Puts a line into the table, in place of the former one of the same fault and test.
     *
     * @param row the fault's number
     * @param test the test class
     * @param figures what was measured, each with its unit, in the order to be shown
     */
    public static void tell(int row, String fault, String promise, Class<?> test, Map<String, ?> figures) {
        String measured = figures.entrySet().stream()
                .map(figure -> figure.getKey() + " " + figure.getValue())
                .collect(Collectors.joining("; "));
        System.out.println("row " + row + ", " + test.getSimpleName() + ": " + measured);
        if (all()) {
            String line = "| %d | %s | %s | `%s` | %s | %s, %s |"
                    .formatted(
                            row,
                            cell(fault),
                            cell(promise),
                            test.getSimpleName(),
                            cell(measured),
                            LocalDate.now(ZoneOffset.UTC),
                            machine());
            write(Path.of(System.getProperty(FILE, "docs/reliability.md")), line);
        }
    }

    private static String cell(String text) {
        return text.replace("|", "\\|").replace("\n", " ");
    }

    private static String machine() {
        return Runtime.getRuntime().availableProcessors() + " processors, Java "
                + Runtime.version().feature();
    }

    static synchronized void write(Path file, String line) {
        try {
            String text = Files.exists(file) ? Files.readString(file) : HEAD;
            int begin = text.indexOf(HEAD);
            if (begin < 0) {
                throw new IllegalStateException(file + " has no table that begins with\n" + HEAD);
            }
            int first = begin + HEAD.length();
            int end = first;
            while (text.startsWith("| ", end)) {
                end = text.indexOf('\n', end) + 1;
            }
            List<String> lines =
                    new ArrayList<>(text.substring(first, end).lines().toList());
            lines.removeIf(former -> faultAndTest(former).equals(faultAndTest(line)));
            lines.add(line);
            lines.sort(Comparator.comparingInt(Reliability::row).thenComparing(Comparator.naturalOrder()));
            String table = lines.stream().map(it -> it + "\n").collect(Collectors.joining());
            Files.writeString(file, text.substring(0, first) + table + text.substring(end), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** By these a line is known: a test may bring about several faults. */
    private static List<String> faultAndTest(String line) {
        String[] cells = line.split(" \\| ", -1);
        return List.of(cells[1], cells[3]);
    }

    private static int row(String line) {
        return Integer.parseInt(line.substring(2, line.indexOf(' ', 2)));
    }
}
