package io.sluice.benchmarks.sidecar;

import io.sluice.benchmarks.measure.Benchmark;
import io.sluice.benchmarks.measure.Child;
import io.sluice.benchmarks.measure.Goal;
import io.sluice.benchmarks.measure.Report;
import io.sluice.benchmarks.measure.Rounds;
import io.sluice.benchmarks.measure.Rounds.Contender;
import io.sluice.benchmarks.measure.Scale;
import io.sluice.benchmarks.measure.Series;
import io.sluice.benchmarks.workload.BenchmarkBroker;
import io.sluice.contract.topic.TopicAdministration;
import io.sluice.contract.topic.TopicNames;
import io.sluice.contract.topic.Topics;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;

/** Checks a second of the sidecar over connections that are kept alive, beside its own server without a gate, and beside nginx. */
public final class SidecarBenchmark implements Benchmark {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final List<String> JAVA = List.of("-Xms512m", "-Xmx512m");
    private static final int PARTITIONS = 4;
    private static final long MAX_LEASE = 600_000;

    @Override
    public String name() {
        return "sidecar";
    }

    @Override
    public String purpose() {
        return "checks over HTTP against the same server's null handler and nginx's return 204";
    }

    @Override
    public void run(Scale scale, Report report) throws Exception {
        Program.find("wrk");
        Program.find("nginx");
        try (BenchmarkBroker broker = BenchmarkBroker.start()) {
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
                new TopicAdministration(admin)
                        .create(Topics.definitions(new TopicNames("sluice."), PARTITIONS, 1, MAX_LEASE));
            }
            measure(scale, report, broker.bootstrapServers());
        }
    }

    private static void measure(Scale scale, Report report, String kafka) throws Exception {
        List<Series> series = new Rounds(scale.choose(1, 5), System.err::println)
                .measure(
                        "checks/s",
                        List.of(
                                contender("nginx, return 204", ServerChild.Server.NGINX, scale, kafka),
                                contender("null handler", ServerChild.Server.NOTHING, scale, kafka),
                                contender("check", ServerChild.Server.SIDECAR, scale, kafka),
                                contender("check and access log", ServerChild.Server.SIDECAR_LOGS, scale, kafka)));
        report.add(series);
        Series nginx = series.get(0);
        Series nothing = series.get(1);
        Series check = series.get(2);
        Series logged = series.get(3);
        report.ratio("check over null handler", check.over(nothing), Goal.atLeast(0.9, 0.5));
        report.ratio("check over nginx", check.over(nginx), Goal.atLeast(0.5, 0.15));
        report.ratio("check and access log over null handler", logged.over(nothing));
        report.ratio("check and access log over nginx", logged.over(nginx));
    }

    private static Contender contender(String name, ServerChild.Server server, Scale scale, String kafka) {
        return new Contender(name, () -> rate(server, scale, kafka));
    }

    private static double rate(ServerChild.Server server, Scale scale, String kafka)
            throws IOException, InterruptedException {
        List<String> arguments = List.of(server.name(), scale.choose("3", "5"), scale.choose("2", "6"), kafka);
        Double rate = Child.run(ServerChild.class, JAVA, arguments, PATIENCE).get("rate");
        if (rate == null) {
            throw new IOException("the rate of " + server + " was not told");
        }
        return rate;
    }
}
