package io.sluice.benchmarks.measure;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * One contender in a JVM of its own: what it compiled, collected or left behind affects no other contender.
 *
 * <p>The child tells its figures on standard output; it ends when its parent does.
 */
public final class Child {

    private static final String FIGURE = "figure ";
    private static final int LINES_KEPT = 40;

    private Child() {}

    /**
     * Runs a main class with this process's Java and class path and waits for it.
     *
     * @return the figures that it told, by name
     * @throws IOException when it fails, tells nothing or takes longer than its patience; the message ends with its
     *     last lines
     */
    public static Map<String, Double> run(
            Class<?> main, List<String> javaOptions, List<String> arguments, Duration patience)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(javaOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        Thread impatience = new Thread(() -> endAfter(process, patience), "impatience");
        impatience.setDaemon(true);
        impatience.start();
        Map<String, Double> figures = new HashMap<>();
        Deque<String> last = new ArrayDeque<>();
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(FIGURE)) {
                    int end = line.indexOf(' ', FIGURE.length());
                    figures.put(line.substring(FIGURE.length(), end), Double.valueOf(line.substring(end + 1)));
                }
                last.addLast(line);
                if (last.size() > LINES_KEPT) {
                    last.removeFirst();
                }
            }
            int code = process.waitFor();
            if (code != 0 || figures.isEmpty()) {
                throw new IOException("%s ended with %d and %d figures within %s:%n%s"
                        .formatted(main.getName(), code, figures.size(), patience, String.join("\n", last)));
            }
            return figures;
        } finally {
            process.destroyForcibly();
            impatience.interrupt();
        }
    }

    private static void endAfter(Process process, Duration patience) {
        try {
            if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                // the process itself would close the stream that is being read
                process.toHandle().destroyForcibly();
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    /** Called by a child: tells its parent a figure; the name has no blank. */
    public static void tell(String name, double value) {
        System.out.println(FIGURE + name + " " + value);
    }

    /** Called by a child first: ends this JVM as soon as its parent is gone, however that went. */
    public static void endWithParent() {
        Thread watch = new Thread(
                () -> {
                    try {
                        while (System.in.read() >= 0) {
                            // nothing is ever said; only the end counts
                        }
                    } catch (IOException closed) {
                        // the end as well
                    }
                    Runtime.getRuntime().halt(1);
                },
                "end-with-parent");
        watch.setDaemon(true);
        watch.start();
    }
}
