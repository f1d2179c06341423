package io.sluice.benchmarks;

import io.sluice.benchmarks.analyzer.AnalyzerBenchmark;
import io.sluice.benchmarks.fleet.FleetBenchmark;
import io.sluice.benchmarks.gate.GateBenchmark;
import io.sluice.benchmarks.growth.GrowthBenchmark;
import io.sluice.benchmarks.growth.HotBenchmark;
import io.sluice.benchmarks.idle.IdleBenchmark;
import io.sluice.benchmarks.measure.Benchmark;
import io.sluice.benchmarks.measure.Numbers;
import io.sluice.benchmarks.measure.Report;
import io.sluice.benchmarks.measure.ReportJson;
import io.sluice.benchmarks.measure.ReportText;
import io.sluice.benchmarks.measure.Scale;
import io.sluice.benchmarks.memory.MemoryBenchmark;
import io.sluice.benchmarks.reaction.ReactionBenchmark;
import io.sluice.benchmarks.recovery.RecoveryBenchmark;
import io.sluice.benchmarks.replay.ReplayBenchmark;
import io.sluice.benchmarks.scaling.ScalingBenchmark;
import io.sluice.benchmarks.sidecar.SidecarBenchmark;
import io.sluice.benchmarks.strategies.StrategiesBenchmark;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command behind {@code benchmarks/run}: measures, prints the report, and fails when a ratio is beyond its guard band. */
@Command(
        name = "benchmarks/run",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Measures ours, the peers and the floor in turns in one run, and prints medians, spread and ratios.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:measured",
            "1:a ratio lies beyond its guard band, or nothing could be measured",
            "2:wrong usage"
        })
public final class Benchmarks implements Callable<Integer> {

    private static final List<Benchmark> ALL = List.of(
            new GateBenchmark(),
            new MemoryBenchmark(),
            new AnalyzerBenchmark(),
            new GrowthBenchmark(),
            new HotBenchmark(),
            new ScalingBenchmark(),
            new ReactionBenchmark(),
            new RecoveryBenchmark(),
            new ReplayBenchmark(),
            new SidecarBenchmark(),
            new StrategiesBenchmark(),
            new IdleBenchmark(),
            new FleetBenchmark());

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Parameters(arity = "1..*", paramLabel = "NAME", description = "what to measure; all = everything")
    private List<String> names = List.of();

    @Option(names = "--except", paramLabel = "NAME", split = ",", description = "leaves these out, separated by commas")
    private List<String> except = List.of();

    @Option(
            names = "--quick",
            description = "a minute at most each: shows that everything can be measured, and judges only what does not"
                    + " depend on the machine, such as bytes and records")
    private boolean quick;

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description = "writes the report as JSON; of several, FILE-NAME.json each")
    private @Nullable Path file;

    /** Ends the JVM with the exit code. */
    public static void main(String... arguments) {
        System.exit(new CommandLine(new Benchmarks()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        List<Benchmark> chosen = chosen();
        List<Report.Ratio> beyond = new ArrayList<>();
        for (Benchmark benchmark : chosen) {
            long began = System.nanoTime();
            Scale scale = quick ? Scale.QUICK : Scale.FULL;
            Report report = new Report(benchmark.name(), scale);
            benchmark.run(scale, report);
            tell(report, chosen.size());
            beyond.addAll(report.beyond());
            System.err.printf(
                    "%s took %d s%n",
                    benchmark.name(),
                    Duration.ofNanos(System.nanoTime() - began).toSeconds());
        }
        for (Report.Ratio ratio : beyond) {
            System.err.printf("%s is %s: beyond its guard band%n", ratio.name(), Numbers.text(ratio.value()));
        }
        return beyond.isEmpty() ? 0 : 1;
    }

    private void tell(Report report, int reports) throws Exception {
        ReportText.print(report, System.out);
        if (file != null) {
            write(report, reports == 1 ? file : Path.of(file + "-" + report.benchmark() + ".json"));
        }
    }

    private List<Benchmark> chosen() {
        List<Benchmark> left = except.stream().map(this::named).toList();
        List<Benchmark> asked =
                names.contains("all") ? ALL : names.stream().map(this::named).toList();
        return asked.stream().filter(benchmark -> !left.contains(benchmark)).toList();
    }

    private Benchmark named(String name) {
        return ALL.stream()
                .filter(benchmark -> benchmark.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(),
                        "no benchmark is called %s; there are %s and all"
                                .formatted(
                                        name,
                                        String.join(
                                                ", ",
                                                ALL.stream()
                                                        .map(Benchmark::name)
                                                        .toList()))));
    }

    private static void write(Report report, Path file) throws Exception {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        try (OutputStream out = Files.newOutputStream(file)) {
            ReportJson.write(report, Instant.now(), out);
        }
    }
}
