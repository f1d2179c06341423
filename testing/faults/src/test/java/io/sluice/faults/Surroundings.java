package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.agent.Freshness;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.policy.InvalidPolicies;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.topic.TopicNames;
import io.sluice.faults.history.Books;
import io.sluice.faults.history.Entry;
import io.sluice.faults.history.Heartbeats;
import io.sluice.faults.history.History;
import io.sluice.faults.history.Invariants;
import io.sluice.faults.history.LockSpans;
import io.sluice.faults.history.Lulls;
import io.sluice.faults.history.TopicHistory;
import io.sluice.faults.net.RequestLog;
import io.sluice.faults.process.AgentProcess;
import io.sluice.faults.process.AnalyzerProcess;
import io.sluice.faults.process.JavaProcess;
import io.sluice.settings.PolicyFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.awaitility.core.ThrowingRunnable;

/** Analyzers and agents around one broker and one set of policies: what is to be done to them, and what came of it. One thread. */
final class Surroundings implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final Duration LOOK = Duration.ofMillis(100);
    /** A window of {@link UsualPolicies#busy} less its panes at both ends. */
    private static final long WINDOW = 800;
    /** Half the threshold of {@link UsualPolicies#busy}: a lock of a caller below it is released. */
    private static final long RELEASE = 10;

    final TopicNames topics;
    final String bootstrap;
    final int partitions;
    private final Path folder;
    private final Path policies;
    private final String settings;
    private final Map<String, JavaProcess> analyzers = new LinkedHashMap<>();
    private final List<AgentProcess> agents = new ArrayList<>();
    final History history;

    /**
     * @param policies YAML
     * @param analyzerSettings what stands under {@code analyzer} beside the state's directory, such as {@code standbys: 1}
     */
    Surroundings(
            Path folder, String bootstrap, String prefix, int partitions, String policies, String analyzerSettings) {
        this.folder = folder;
        this.bootstrap = bootstrap;
        this.topics = new TopicNames(prefix);
        this.partitions = partitions;
        this.settings = analyzerSettings;
        this.history = History.in(folder, "faults");
        try {
            this.policies = Files.writeString(folder.resolve("policies.yml"), policies);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What to run, to be changed before it is given to {@link #start}. */
    JavaProcess.Spec analyzer(String instance) {
        return AnalyzerProcess.of(
                instance,
                folder,
                AnalyzerProcess.settings(
                        bootstrap,
                        topics.prefix(),
                        partitions,
                        policies,
                        "analyzer: { state-dir: " + state(instance) + ", " + settings + " }"));
    }

    /** Where an analyzer keeps its state. */
    Path state(String instance) {
        return folder.resolve("state-" + instance);
    }

    JavaProcess start(JavaProcess.Spec analyzer) {
        JavaProcess process = JavaProcess.start(analyzer);
        analyzers.put(analyzer.name(), process);
        return process;
    }

    /** Starts an agent that watches these callers; it is fresh when this returns. */
    AgentProcess agent(String id, Map<String, String> more, String... watched) {
        Map<String, String> all = new LinkedHashMap<>(Map.of("bootstrap", bootstrap, "prefix", topics.prefix()));
        all.putAll(more);
        AgentProcess agent = AgentProcess.start(AgentProcess.of(id, folder, all));
        add(agent);
        agent.watch(watched);
        awaiting(() -> assertThat(agent.freshness()).isEqualTo(Freshness.FRESH));
        return agent;
    }

    /** An agent that was started otherwise. */
    void add(AgentProcess agent) {
        agents.add(agent);
    }

    /**
     * The guard never lets a policy close more than half of the gates that are active: so others have to call as well. Each of them
     * calls once now.
     */
    void bystanders(RequestLog log, String name, int many) {
        long now = System.currentTimeMillis();
        IntStream.range(0, many).forEach(i -> log.add(name + i, now));
        log.flush();
    }

    /** Callers at these rates, and forty bystanders of a policy that counts these callers, for the same reason. */
    static Map<String, Integer> amongOthers(String name, Map<String, Integer> rates) {
        Map<String, Integer> all = new LinkedHashMap<>(rates);
        IntStream.range(0, 40).forEach(i -> all.put(name + i, 4));
        return all;
    }

    RequestLog log() {
        return new RequestLog(bootstrap, topics.requests());
    }

    PolicySet policies() {
        try {
            return PolicyFile.read(policies);
        } catch (IOException | MalformedRecord | InvalidPolicies e) {
            throw new IllegalStateException(e);
        }
    }

    /** What was decided so far. */
    LockSpans locks() {
        return new LockSpans(TopicHistory.decisions(bootstrap, topics));
    }

    /**
     * Which locks by {@link UsualPolicies#busy} ended without a reason, of callers that are meant to be over all the time: they had not
     * ceased, and while the lease ran out an analyzer was there to prolong it.
     *
     * @param lease of the analyzers' locks, milliseconds
     */
    List<LockSpans.Span> lost(LockSpans locks, Set<String> callers, long lease) {
        Lulls lulls = Lulls.of(bootstrap, topics, callers, WINDOW, RELEASE);
        Heartbeats heartbeats = heartbeats();
        return locks.spans().stream()
                .filter(span -> callers.contains(span.caller()) && span.until() < Long.MAX_VALUE)
                .filter(span -> !lulls.any(span.caller(), span.from(), span.until()))
                // it is prolonged after a third of it
                .filter(span ->
                        released(locks, span) || heartbeats.longestGap(span.until() - lease, span.until()) < lease / 2)
                .toList();
    }

    private static boolean released(LockSpans locks, LockSpans.Span span) {
        return locks.decisions().stream()
                .filter(it -> it.append() > span.from() && it.append() <= span.until())
                .anyMatch(it ->
                        it.lock().mode() == Mode.OPEN && it.lock().subject().contains(span.caller()));
    }

    Heartbeats heartbeats() {
        return Heartbeats.of(bootstrap, topics);
    }

    /** Waits until each partition is decided by one of these analyzers, in a life that goes on after this time. */
    void awaitAble(long since, String... instances) {
        awaiting(() -> assertThat(heartbeats().able(partitions, since, List.of(instances)))
                .isTrue());
    }

    /** Waits until guards know so many active subjects of a policy: meters report them each second, and one that ends before has not. */
    void awaitActive(String policy, int least) {
        awaiting(() -> assertThat(heartbeats().active(policy)).isGreaterThanOrEqualTo(least));
    }

    /** Waits until each agent says this of each of these callers. */
    void awaitEverywhere(List<String> callers, String verdict) {
        Map<String, String> expected = new TreeMap<>();
        callers.forEach(caller -> expected.put(caller, verdict));
        agents.forEach(agent -> awaiting(() -> assertThat(table(agent, callers)).isEqualTo(expected.toString())));
    }

    /** Those of these callers that any agent rejects now. */
    List<String> notPassing(List<String> callers) {
        return callers.stream()
                .filter(caller ->
                        agents.stream().anyMatch(agent -> !agent.verdict(caller).equals("pass")))
                .toList();
    }

    private static String table(AgentProcess agent, List<String> callers) {
        return agent.table(callers.toArray(new String[0]));
    }

    void awaiting(ThrowingRunnable condition) {
        try {
            Awaitility.await().atMost(PATIENCE).pollInterval(LOOK).untilAsserted(condition);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(this + "\n" + e.getMessage(), e);
        }
    }

    /** Ends an agent's traffic and waits until it knows of each entry of its log whether it was stored: a close does not wait so long. */
    static void settle(AgentProcess agent) {
        agent.traffic(Map.of());
        Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
            Books books = agent.books();
            assertThat(books.sent() + books.drops()).as(agent::status).isEqualTo(books.logged());
        });
    }

    /** Lets time go by. */
    static void pass(long millis) {
        long end = System.nanoTime() + millis * 1_000_000;
        Awaitility.await()
                .atMost(Duration.ofMillis(millis).plusMinutes(1))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> System.nanoTime() > end);
    }

    /** How far the analyzers have read the requests and committed that, counted in records. */
    long read() {
        return committed(topics.requests()).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    /**
     * Waits until the analyzers have counted and committed what is in the log now: the guard knows the active callers, and an unclean end
     * can't double any of it any more.
     */
    void awaitCounted() {
        awaitCommitted(topics.requests());
        awaitCommitted(topics.usage());
    }

    private void awaitCommitted(String topic) {
        Map<TopicPartition, Long> ends = Offsets.ends(bootstrap, topic, partitions);
        awaiting(() -> {
            Map<TopicPartition, Long> committed = committed(topic);
            assertThat(ends)
                    .allSatisfy((partition, end) -> assertThat(committed.getOrDefault(partition, 0L))
                            .as("%s", partition)
                            .isGreaterThanOrEqualTo(end));
        });
    }

    private Map<TopicPartition, Long> committed(String topic) {
        return Offsets.committed(bootstrap, topics.prefix() + "sluice-analyzer", topic);
    }

    /** Closes the agents: what was written down and decided, but not what was produced. */
    Invariants end() {
        agents.forEach(AgentProcess::closeAgent);
        return judge(TopicHistory.decisions(bootstrap, topics));
    }

    /** The same with what was produced: what is needed to ask the oracle. */
    Invariants endWithRequests() {
        agents.forEach(AgentProcess::closeAgent);
        return judge(TopicHistory.of(bootstrap, topics));
    }

    private Invariants judge(List<Entry> onTopics) {
        history.add(onTopics);
        return new Invariants(History.read(folder));
    }

    /** For messages. */
    @Override
    public String toString() {
        return agents + "\n" + analyzers.values();
    }

    @Override
    public void close() {
        agents.forEach(AgentProcess::close);
        analyzers.values().forEach(JavaProcess::close);
        history.close();
    }
}
