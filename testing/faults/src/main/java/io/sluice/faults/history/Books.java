package io.sluice.faults.history;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * An agent's own account of its access log.
 *
 * @param exceptions thrown by the agent into the host service
 * @param failures checks that failed inside
 */
public record Books(long checks, long logged, long sent, long drops, long failures, long exceptions) {

    /** Reads what {@link #toString} wrote; further pairs are passed over. */
    public static Books parse(String text) {
        Map<String, Long> pairs = Arrays.stream(text.split("[ \t]+", -1))
                .filter(pair -> pair.matches("[a-z]+=-?\\d+"))
                .map(pair -> pair.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> Long.valueOf(pair[1])));
        return new Books(
                number(pairs, "checks"),
                number(pairs, "logged"),
                number(pairs, "sent"),
                number(pairs, "drops"),
                number(pairs, "failures"),
                number(pairs, "exceptions"));
    }

    private static long number(Map<String, Long> pairs, String name) {
        Long number = pairs.get(name);
        if (number == null) {
            throw new IllegalArgumentException("no " + name + " in the books, there is " + pairs.keySet());
        }
        return number;
    }

    /** {@code checks=1 logged=1 …} */
    @Override
    public String toString() {
        return "checks=" + checks + " logged=" + logged + " sent=" + sent + " drops=" + drops + " failures=" + failures
                + " exceptions=" + exceptions;
    }
}
