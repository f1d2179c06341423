package io.sluice.faults.host;

import io.sluice.agent.AgentStatus;
import io.sluice.agent.GateAgent;
import io.sluice.agent.GateAgentBuilder;
import io.sluice.agent.verdict.Verdict;
import io.sluice.faults.history.Books;
import io.sluice.faults.history.Entry;
import io.sluice.faults.history.History;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A host service with an agent in it, without any door: traffic is made inside. It answers one line to each line on its standard
 * input, closes its agent on SIGTERM as a service would, and is gone when its parent is.
 *
 * <p>Arguments, {@code KEY=VALUE} each: {@code bootstrap}, {@code prefix}, {@code id}; {@code policies} (a JSON file), {@code
 * maxLease}, {@code staleAfter}, {@code heartbeat} (milliseconds), {@code logQueue}, and {@code kafka.…} for the clients.
 * {@code AgentProcess} says the commands.
 */
public final class HostMain {
    /** What stands in front of a line that answers a command. */
    public static final String REPLY = "= ";

    /** Less than {@link io.sluice.faults.process.AgentProcess} waits for a reply, which then names what was missing. */
    private static final Duration LIMITED_PATIENCE = Duration.ofSeconds(90);

    private final GateAgent agent;
    private final History history;
    private final Traffic traffic;
    private final LimitedCaller limited;
    private final Flood flood;
    private final Watch watch;
    private final Map<String, String> settings;
    private final long builtMicros;
    private final long waitedMicros;

    private HostMain(Map<String, String> settings) {
        this.settings = settings;
        long own = OwnTime.nanos();
        long begin = System.nanoTime();
        agent = builder(settings).build();
        long wall = System.nanoTime() - begin;
        waitedMicros = Math.max(0, wall - (OwnTime.nanos() - own)) / 1000;
        builtMicros = wall / 1000;
        history = History.in(Path.of(""), agent.id());
        traffic = new Traffic(agent);
        limited = new LimitedCaller(agent, LIMITED_PATIENCE);
        flood = new Flood(agent);
        watch = new Watch(agent, history);
    }

    public static void main(String[] arguments) throws IOException {
        Map<String, String> settings = Arrays.stream(arguments)
                .map(argument -> argument.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
        HostMain host = new HostMain(settings);
        Runtime.getRuntime().addShutdownHook(new Thread(host::close, "host-stop"));
        reply("built micros=" + host.builtMicros + " waited=" + host.waitedMicros);
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                reply(host.obey(line));
            }
        }
        Runtime.getRuntime().halt(1);
    }

    static GateAgentBuilder builder(Map<String, String> settings) {
        GateAgentBuilder builder = GateAgent.builder()
                .bootstrap(settings.getOrDefault("bootstrap", ""))
                .topicPrefix(settings.getOrDefault("prefix", ""))
                .service("orders");
        Map<String, Object> kafka = new HashMap<>();
        settings.forEach((key, value) -> {
            switch (key) {
                case "bootstrap", "prefix" -> {}
                case "id" -> builder.id(value);
                case "policies" -> builder.policies(Path.of(value));
                case "maxLease" -> builder.maxLease(Duration.ofMillis(Long.parseLong(value)));
                case "staleAfter" -> builder.staleAfter(Duration.ofMillis(Long.parseLong(value)));
                case "heartbeat" -> builder.heartbeat(Duration.ofMillis(Long.parseLong(value)));
                case "logQueue" -> builder.logQueue(Integer.parseInt(value));
                default -> {
                    if (!key.startsWith("kafka.")) {
                        throw new IllegalArgumentException("unknown setting " + key);
                    }
                    kafka.put(key.substring("kafka.".length()), value);
                }
            }
        });
        return builder.kafka(kafka);
    }

    private static void reply(String line) {
        System.out.println(REPLY + line);
        System.out.flush();
    }

    private String obey(String line) {
        List<String> words = List.of(line.strip().split(" +", -1));
        List<String> arguments = words.subList(1, words.size());
        try {
            return switch (words.get(0)) {
                case "traffic" -> traffic.run(arguments);
                case "figures" -> traffic.figures();
                case "status" -> status();
                case "books" -> books().toString();
                case "table" -> table(arguments);
                case "watch" -> watch.callers(arguments);
                case "limit" -> limited.start(arguments);
                case "limited" -> limited.stop(arguments);
                case "flood" -> flood.start(arguments);
                case "flooded" -> flood.figures();
                case "redeploy" -> Redeployment.times(Integer.parseInt(arguments.get(0)), settings);
                case "close" -> close();
                default -> "error: unknown command " + line;
            };
        } catch (Exception e) {
            return "error: " + line + ": " + e;
        }
    }

    private Books books() {
        AgentStatus status = agent.status();
        return new Books(
                status.checks(),
                status.logged(),
                status.sent(),
                status.drops(),
                status.failures(),
                traffic.exceptions());
    }

    private String status() {
        AgentStatus status = agent.status();
        return "freshness=" + status.freshness() + " locks=" + status.locks() + " gates=" + status.gates()
                + " policies="
                + (status.policies().isEmpty() ? "none" : status.policies()) + " rejections=" + status.rejections()
                + " fenced=" + status.fenced() + " malformed=" + status.malformed() + " newer=" + status.newerFormats()
                + " " + books() + " reasons="
                + String.join("; ", status.reasons());
    }

    /** What it says to each of these callers now, without logging it: for callers who have no limit. */
    private String table(List<String> callers) {
        Map<String, String> table = new TreeMap<>();
        for (String caller : callers) {
            try (Verdict verdict = agent.check(agent.request(caller).build())) {
                table.put(
                        caller,
                        verdict instanceof Verdict.Rejected rejected
                                ? rejected.reason() + ":" + rejected.policy()
                                : "pass");
            }
        }
        history.add(Entry.Kind.TABLE, agent.id(), table.toString());
        return table.toString();
    }

    /** Ends what it does, closes the agent, and tells which threads are left that were not there without it. */
    private synchronized String close() {
        traffic.close();
        watch.close();
        long begin = System.nanoTime();
        agent.close();
        long millis = (System.nanoTime() - begin) / 1_000_000;
        history.add(Entry.Kind.BOOKS, agent.id(), books().toString());
        return "millis=" + millis + " threads=" + Redeployment.left();
    }
}
