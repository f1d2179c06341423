package io.sluice.benchmarks.gate;

import io.sluice.benchmarks.measure.Scale;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** One JMH method in JVMs of its own. */
final class Fork {
    private static final String ALLOCATED = "gc.alloc.rate.norm";
    private static final int LINES_KEPT = 40;

    private final Scale scale;

    Fork(Scale scale) {
        this.scale = scale;
    }

    /**
     * Result of a fork.
     *
     * @param nanos nanoseconds an operation of one thread
     * @param bytes allocated an operation
     */
    record Outcome(double nanos, double bytes) {}

    /**
     * Runs it.
     *
     * @param parameters JMH's {@code @Param}s, one value each
     * @throws IOException when it fails; the message ends with its last lines
     */
    Outcome run(Class<?> benchmarks, String method, Map<String, String> parameters, int threads) throws IOException {
        Path told = Files.createTempFile("sluice-gate", ".jmh");
        try {
            ChainedOptionsBuilder options = new OptionsBuilder()
                    .include("\\Q" + benchmarks.getName() + "." + method + "\\E$")
                    .threads(threads)
                    .forks(1)
                    .warmupIterations(scale.choose(2, 3))
                    .warmupTime(TimeValue.milliseconds(scale.choose(150, 400)))
                    .measurementIterations(scale.choose(2, 4))
                    .measurementTime(TimeValue.milliseconds(scale.choose(150, 300)))
                    .addProfiler(GCProfiler.class)
                    .shouldFailOnError(true)
                    .jvmArgs("-Xms2g", "-Xmx2g", "-Dcsp.sentinel.log.dir=" + told.getParent())
                    .output(told.toString());
            if (scale == Scale.FULL) {
                // pages that are touched for the first time would be part of the time
                options.jvmArgsAppend("-XX:+AlwaysPreTouch");
            }
            parameters.forEach(options::param);
            RunResult result = new Runner(options.build()).runSingle();
            return new Outcome(result.getPrimaryResult().getScore(), allocated(result));
        } catch (RunnerException e) {
            throw new IOException(
                    "%s %s failed in its JVM:%n%s".formatted(method, parameters, String.join("\n", last(told))), e);
        } finally {
            Files.deleteIfExists(told);
        }
    }

    private static double allocated(RunResult result) throws IOException {
        Result<?> bytes = result.getSecondaryResults().get(ALLOCATED);
        if (bytes == null) {
            throw new IOException("JMH's gc profiler says nothing of %s, only of %s"
                    .formatted(ALLOCATED, result.getSecondaryResults().keySet()));
        }
        return bytes.getScore();
    }

    private static List<String> last(Path told) throws IOException {
        List<String> lines = Files.readAllLines(told);
        return lines.subList(Math.max(0, lines.size() - LINES_KEPT), lines.size());
    }
}
