package io.sluice.testing;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs a parser on sound inputs that were damaged here and there. It may refuse them in its own way; any other exception fails the test, and so does an
 * input for which it allocates more than {@value #MOST_BYTES} bytes. The input then stands in {@code target/fuzz}; kept as a file in
 * {@code src/test/resources/fuzz/NAME}, it is run first in every build.
 *
 * <p>{@code -Dsluice.fuzz=N} runs N inputs in place of a build's few, from another seed each time. {@code testing/fuzz} lets Jazzer choose them.
 */
public final class Fuzzing {
    /** No parser needs as much for inputs of a few hundred bytes. */
    private static final long MOST_BYTES = 16 << 20;

    private static final int USUAL = 1_500;
    private static final int IN_FULL = 50_000;

    private static @Nullable List<Target> collected;

    private Fuzzing() {}

    /** A parser with the inputs that it starts from. */
    record Target(String name, List<byte[]> inputs, Class<? extends Exception> refusal, Parser parser) {
        /** Runs an input; returns 1 when it was refused. */
        int run(byte[] input) {
            return one(name, input, refusal, parser);
        }

        /** Runs an input without counting what it allocates: Jazzer allocates while it instruments classes. */
        void parse(byte[] input) {
            Fuzzing.parse(name, input, refusal, parser);
        }
    }

    /** From now on {@link #run} puts its parser into a list, and runs nothing. */
    static void collect(List<Target> to) {
        collected = to;
    }

    /** A parser under test. */
    @FunctionalInterface
    public interface Parser {
        /** Reads an input. */
        void parse(byte[] input) throws Exception;
    }

    /**
     * Runs it.
     *
     * @param name of the parser and of its folder of kept inputs
     * @param refusal what it throws for an input that it refuses
     * @return how many inputs it refused
     */
    public static int run(String name, List<byte[]> sound, Class<? extends Exception> refusal, Parser parser) {
        Integer chosen = Integer.getInteger("sluice.fuzz");
        int inputs = chosen == null ? Seeds.of(USUAL, IN_FULL) : chosen;
        long seed = chosen == null ? name.hashCode() : System.nanoTime();
        int refused = 0;
        List<byte[]> first = new ArrayList<>(sound);
        first.addAll(kept(Path.of("src/test/resources/fuzz").resolve(name)));
        Target target = new Target(name, first, refusal, parser);
        if (collected != null) {
            collected.add(target);
            return 0;
        }
        for (byte[] input : first) {
            refused += target.run(input);
        }
        Mutations mutations = new Mutations(seed);
        for (int i = 0; i < inputs; i++) {
            refused += target.run(mutations.of(first));
        }
        return refused;
    }

    private static int one(String name, byte[] input, Class<? extends Exception> refusal, Parser parser) {
        long before = allocated();
        int refused = parse(name, input, refusal, parser);
        long bytes = allocated() - before;
        if (bytes > MOST_BYTES) {
            throw new AssertionError(name + " allocated " + bytes + " bytes for " + found(name, input));
        }
        return refused;
    }

    private static int parse(String name, byte[] input, Class<? extends Exception> refusal, Parser parser) {
        try {
            parser.parse(input);
        } catch (Exception | StackOverflowError | OutOfMemoryError e) {
            if (!refusal.isInstance(e)) {
                throw new AssertionError(name + " threw " + e + " for " + found(name, input), e);
            }
            return 1;
        }
        return 0;
    }

    private static long allocated() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }

    private static Path found(String name, byte[] input) {
        try {
            Path folder = Files.createDirectories(Path.of("target/fuzz"));
            return Files.write(folder.resolve(name), input).toAbsolutePath();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<byte[]> kept(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            List<byte[]> inputs = new ArrayList<>();
            for (Path file : files.sorted().toList()) {
                inputs.add(Files.readAllBytes(file));
            }
            return inputs;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
