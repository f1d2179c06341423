package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.faults.host.Goodput;
import io.sluice.faults.host.GuardedServiceMain;
import io.sluice.faults.process.AgentProcess;
import io.sluice.faults.process.JavaProcess;
import io.sluice.faults.report.Reliability;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service that can serve 40 requests a second is called 400 times a second; there is no Kafka, only its agent. */
class OverloadTest {
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final Duration TIME = Duration.ofSeconds(Reliability.all() ? 15 : 4);
    private static final int SLOTS = 4;
    private static final int MILLIS = 100;
    private static final Duration ENOUGH = Reliability.all() ? Duration.ofSeconds(1) : PATIENCE;
    /** Without bounds of time, a queue is measured in requests: five seconds of the service's work, which only one without an end exceeds. */
    private static final long QUEUE = Reliability.all() ? Long.MAX_VALUE : 5L * SLOTS * 1000 / MILLIS;

    private static final Map<String, Integer> GOOD = Map.of("amber", 3, "birch", 3, "cedar", 3, "dune", 3, "elm", 3);
    private static final int BAD = 400;

    @TempDir
    Path folder;

    private final List<JavaProcess> processes = new ArrayList<>();

    @AfterEach
    void close() {
        processes.forEach(JavaProcess::close);
    }

    private Goodput service(String name, String policies) throws Exception {
        Path file = Files.writeString(folder.resolve(name + ".json"), policies);
        JavaProcess process = JavaProcess.start(new JavaProcess.Spec(
                name,
                folder,
                GuardedServiceMain.class,
                List.of("-Xmx256m"),
                List.of(file.toString(), Integer.toString(SLOTS), Integer.toString(MILLIS))));
        processes.add(process);
        long port = AgentProcess.number(
                process.reply(PATIENCE).orElseThrow(() -> new AssertionError(process.toString())), "port");
        return new Goodput(URI.create("http://127.0.0.1:" + port + "/orders"), ENOUGH, QUEUE);
    }

    @Test
    void theAgentAloneKeepsTheGoodCallersServedUnderTenTimesTheLoad() throws Exception {
        String limit = """
                {"policies":[{"name":"plans","per":["caller"],"limit":{"rate":"10/s","burst":20}}]}
                """;
        Goodput guarded = service("guarded", limit);
        // what is not compiled yet is not what is asked here
        guarded.of(withBad(), Duration.ofSeconds(3));
        double unloaded = good(guarded.of(GOOD, TIME));
        double overloaded = good(guarded.of(withBad(), TIME));
        double unguarded = good(service("unguarded", "{\"policies\":[]}").of(withBad(), TIME));

        Reliability.tell(
                13,
                "10 × overload of a service guarded only by its agent, Kafka off",
                "good callers' goodput ≥ 90 % of unloaded",
                getClass(),
                figures(unloaded, overloaded, unguarded));
        assertThat(unloaded).isGreaterThan(0.9);
        assertThat(overloaded).isGreaterThanOrEqualTo(0.9 * unloaded);
        // otherwise this was no overload
        assertThat(unguarded).isLessThan(0.5);
    }

    private static Map<String, Object> figures(double unloaded, double overloaded, double unguarded) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("served of the good callers' requests: unloaded", percent(unloaded));
        figures.put("overloaded", percent(overloaded));
        figures.put("overloaded without a limit", percent(unguarded));
        return figures;
    }

    private static String percent(double part) {
        return Math.round(part * 1_000) / 10.0 + " %";
    }

    private static Map<String, Integer> withBad() {
        Map<String, Integer> all = new LinkedHashMap<>(GOOD);
        all.put("noisy", BAD);
        return all;
    }

    private static double good(Map<String, Double> parts) {
        return GOOD.keySet().stream().mapToDouble(parts::get).average().orElseThrow();
    }
}
