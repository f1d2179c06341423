package io.sluice.faults.process;

import io.sluice.contract.agent.Freshness;
import io.sluice.faults.history.Books;
import io.sluice.faults.host.HostMain;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A host service with an agent in it, in a process of its own: what it can be told and asked. Its history stands in its folder
 * and outlives it. One thread.
 */
public final class AgentProcess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final JavaProcess process;
    private final long builtMicros;
    private final long waitedMicros;

    private AgentProcess(JavaProcess process) {
        this.process = process;
        String built =
                process.reply(PATIENCE).orElseThrow(() -> new IllegalStateException("it did not start: " + process));
        this.builtMicros = number(built, "micros");
        this.waitedMicros = number(built, "waited");
    }

    /**
     * What to run: {@link #start} it, perhaps behind a namespace or with a clock of its own.
     *
     * @param settings as {@link HostMain} says, beside its id
     */
    public static JavaProcess.Spec of(String id, Path folder, Map<String, String> settings) {
        List<String> arguments = new ArrayList<>(List.of("id=" + id));
        settings.forEach((key, value) -> arguments.add(key + "=" + value));
        return new JavaProcess.Spec(id, folder, HostMain.class, javaOptions(), arguments);
    }

    /** With the compiler that users have only where times are measured: the other one is done sooner. */
    private static List<String> javaOptions() {
        return "one".equals(System.getProperty("sluice.faults"))
                ? List.of("-Xmx256m", "-XX:TieredStopAtLevel=1")
                : List.of("-Xmx256m");
    }

    /**
     * Settings of an agent that knows exactly what of its log was stored: a producer that does not know whether its last try was stored has
     * to ask again, and until it knows nothing is dropped. It has one request under way: a broker that was killed remembers of each producer the
     * last batch alone, and would store those before it once more.
     *
     * @param patience longer than any fault lasts
     */
    public static Map<String, String> exact(Duration patience) {
        return Map.of(
                "kafka.enable.idempotence",
                "true",
                "kafka.acks",
                "all",
                "kafka.max.in.flight.requests.per.connection",
                "1",
                "kafka.delivery.timeout.ms",
                Long.toString(patience.toMillis()));
    }

    /** Starts it; its agent is built when this returns. */
    public static AgentProcess start(JavaProcess.Spec spec) {
        return new AgentProcess(JavaProcess.start(spec));
    }

    /** The process, to be killed, frozen and terminated. */
    public JavaProcess process() {
        return process;
    }

    /** How much of that its caller waited for another thread or process, microseconds: time without a free processor is not counted. */
    public long waitedMicros() {
        return waitedMicros;
    }

    /** How long building the agent took in a JVM that knew none of its classes, microseconds. */
    public long builtMicros() {
        return builtMicros;
    }

    /** Any command, and its answer. */
    public String ask(String command) {
        return ask(command, PATIENCE);
    }

    /** @throws IllegalStateException when the answer is an error or does not come in time */
    public String ask(String command, Duration patience) {
        String answer = process.ask(command, patience);
        if (answer.startsWith("error")) {
            throw new IllegalStateException(answer);
        }
        return answer;
    }

    /** From now on these callers, and no others, call at these rates a second. */
    public void traffic(Map<String, ? extends Number> rates) {
        StringBuilder command = new StringBuilder("traffic");
        rates.forEach(
                (caller, rate) -> command.append(' ').append(caller).append('=').append(rate));
        ask(command.toString());
    }

    /** From now on the history says when these callers are locked out and let in. */
    public void watch(String... callers) {
        ask("watch " + String.join(" ", callers));
    }

    /** What a check of each caller says: {@code pass}, or a reason and a policy. */
    public String table(String... callers) {
        return ask("table " + String.join(" ", callers));
    }

    /** One caller's verdict, as in {@link #table}. */
    public String verdict(String caller) {
        String table = table(caller);
        return table.substring(caller.length() + 2, table.length() - 1);
    }

    /** Nanoseconds of a check with its log entry since this was last asked: {@code count p50 p99 p999 max}. */
    public Map<String, Long> figures() {
        String answer = ask("figures");
        Map<String, Long> figures = new LinkedHashMap<>();
        for (String name : List.of("count", "p50", "p99", "p999", "max")) {
            figures.put(name, number(answer, name));
        }
        return figures;
    }

    /** How it is, in words and numbers. */
    public String status() {
        return ask("status");
    }

    /** How far its lock table can be trusted. */
    public Freshness freshness() {
        return Freshness.valueOf(word(status(), "freshness"));
    }

    /** What it says of its own access log. */
    public Books books() {
        return Books.parse(ask("books"));
    }

    /** Closes the agent, not the process: how long that took and which of its threads are left. */
    public String closeAgent() {
        return ask("close", Duration.ofMinutes(1));
    }

    /** The number that an answer gives for a name. */
    public static long number(String answer, String name) {
        return Long.parseLong(word(answer, name));
    }

    private static String word(String answer, String name) {
        for (String pair : answer.split(" ", -1)) {
            if (pair.startsWith(name + "=")) {
                return pair.substring(name.length() + 1);
            }
        }
        throw new IllegalArgumentException("no " + name + " in: " + answer);
    }

    @Override
    public String toString() {
        return process.toString();
    }

    @Override
    public void close() {
        process.close();
    }
}
