package io.sluice.agent;

import io.sluice.agent.internal.feed.DecisionReader;
import io.sluice.agent.internal.feed.Publisher;
import io.sluice.agent.internal.gate.DecisionListener;
import io.sluice.agent.internal.gate.DecisionState;
import io.sluice.agent.internal.gate.Gatekeeper;
import io.sluice.agent.internal.log.LogQueue;
import io.sluice.agent.internal.trace.RejectionTrace;
import io.sluice.agent.verdict.Verdict;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.topic.TopicNames;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gate inside a service. It answers from memory, follows the analyzer's locks, an operator's word and the policies,
 * and publishes the access log. Whatever happens to Kafka or the analyzer, a request neither waits nor fails because of
 * it. Thread-safe.
 *
 * <pre>{@code
 * GateAgent agent = GateAgent.builder().bootstrap("localhost:9092").service("orders").build();
 * Request request = agent.request("acme").route("/orders/{id}").method("GET").build();
 * try (Verdict verdict = agent.check(request)) {
 *     // serve or answer 429, then
 *     agent.log(request, verdict, status, bytes, micros);
 * }
 * }</pre>
 */
public final class GateAgent implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GateAgent.class);

    private final String id;
    private final String service;
    private final LongSupplier ticks = ticks();
    private final DecisionState decisions;
    private final Gatekeeper gatekeeper;
    private final LogQueue requestLog;
    private final DecisionReader feed;
    private final Publisher publisher;
    private final AgentMaintenance keeper;
    private final LongAdder passed = new LongAdder();
    private final LongAdder claimed = new LongAdder();
    private final RejectionTrace trace = RejectionTrace.here();
    private final LongAdder failures = new LongAdder();
    private final StatusReporter report;
    private final AtomicBoolean closed = new AtomicBoolean();

    GateAgent(GateAgentBuilder from, Map<String, Object> kafka) {
        id = from.id();
        service = from.service();
        TopicNames topics = new TopicNames(from.topicPrefix());
        decisions = new DecisionState(from.settings());
        gatekeeper = new Gatekeeper(decisions, ticks);
        requestLog = new LogQueue(from.logQueue());
        report = new StatusReporter(id, service, ticks, decisions, requestLog, passed, claimed);
        feed = new DecisionReader(kafka, id, topics, decisions, ticks);
        publisher = new Publisher(kafka, id, topics, requestLog, report, from.heartbeatMillis());
        keeper = new AgentMaintenance(decisions, ticks, this::renewClients);
        from.localPolicies().ifPresent(decisions::policies);
        keeper.start();
        feed.start();
        publisher.start();
    }

    private void renewClients() {
        feed.renew();
        publisher.renew();
    }

    /**
     * Describes an agent; {@code bootstrap} and {@code service} have to be said.
     *
     * @throws IllegalStateException when kafka-clients, jackson-core or slf4j-api is older than the agent works with
     */
    public static GateAgentBuilder builder() {
        LibraryVersions.check();
        return new GateAgentBuilder();
    }

    /** Monotonic nanoseconds since now: never negative. */
    private static LongSupplier ticks() {
        long origin = System.nanoTime();
        return () -> System.nanoTime() - origin;
    }

    /** Starts a request to this agent's service, charged to {@code caller}. */
    public Request.Builder request(@Nullable String caller) {
        return Request.of(caller).service(service);
    }

    /**
     * Whether a request may pass, and when: {@link Verdict#delayNanos}. Never blocks and never throws: a failure inside lets
     * the request pass, and is counted. Reads the clock once, takes no lock unless a limit meets a caller for the first time, and
     * allocates nothing unless it does, or a throttle rejects, or a limit delays, counts what is in flight, or has a burst over a thousand (two small objects
     * then), the request names no service (a copy then), or a policy counts by a network (its text then).
     *
     * <p>The verdict must be closed when the request is done. A rejection is told to the current span of OpenTelemetry, if the host has one.
     */
    public Verdict check(Request request) {
        try {
            if (request.identity() == Identity.CLAIMED) {
                claimed.increment();
            }
            Request asked = request.service() == null ? request.at(service) : request;
            Verdict verdict = gatekeeper.check(asked, ticks.getAsLong());
            if (verdict.allowed()) {
                // who turned a request away counted it
                passed.increment();
            } else if (verdict instanceof Verdict.Rejected rejected) {
                trace.rejected(rejected);
            }
            return verdict;
        } catch (RuntimeException | StackOverflowError | LinkageError e) {
            passed.increment();
            failures.increment();
            LOG.debug("a check failed, the request passes", e);
            return Verdict.Allowed.FREELY;
        }
    }

    /** Puts an entry into the access log. Never blocks; what does not fit into the queue is dropped and counted. */
    public void log(RequestEvent event) {
        requestLog.put(event);
    }

    /**
     * Puts a request that was answered into the access log: one that passed, and one that was turned away too, for the
     * analyzer keeps a lock only while there is still demand. Never blocks and never throws.
     *
     * @param status the response's status, 0 when unknown
     * @param bytes the response's size, 0 when unknown
     * @param micros the service time in microseconds, 0 when unknown
     */
    public void log(Request request, Verdict verdict, int status, long bytes, long micros) {
        try {
            requestLog.put(new RequestEvent(
                    decisions.time(ticks.getAsLong()),
                    request.caller(),
                    request.service() == null ? service : request.service(),
                    request.route(),
                    request.method(),
                    request.ip(),
                    status < 100 || status > 599 ? 0 : status,
                    Math.min(Math.max(0, bytes), RequestEvent.MAX_COST),
                    Math.min(Math.max(0, micros), RequestEvent.MAX_COST),
                    id,
                    verdict.outcome(),
                    1,
                    request.identity(),
                    request.labels()));
        } catch (RuntimeException e) {
            failures.increment();
            LOG.debug("a request could not be logged", e);
        }
    }

    /** The agent's id, unique in the fleet. */
    public String id() {
        return id;
    }

    /** The service it guards. */
    public String service() {
        return service;
    }

    /** How the agent is doing. */
    public AgentStatus status() {
        return report.status(feed, publisher, failures.sum());
    }

    /** From now on this one is told what the agent hears, beginning with the policies in force. */
    public void listen(AgentListener listener) {
        decisions.listen(new DecisionListener() {
            @Override
            public void policies(PolicySet policies) {
                listener.policies(policies);
            }

            @Override
            public void applied(long crossed, long decided, long applied) {
                listener.applied(crossed, decided, applied);
            }
        });
    }

    /**
     * Why the agent is not at its best, in words, empty when it is: {@code status().reasons()} without the rest. Cheap, unlike
     * {@link #status}, which looks at every lock.
     */
    public List<String> reasons() {
        return report.reasons(feed, publisher);
    }

    /** How far the lock table can be trusted: {@code status().freshness()} without the rest. */
    public Freshness freshness() {
        return decisions.freshness();
    }

    /**
     * Sends what is left of the access log, as far as two seconds are enough, and ends all threads. Checks go on
     * answering from memory. Returns within some seconds even when Kafka is dead; can be called more than once.
     */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            publisher.close();
            feed.close();
            keeper.close();
        }
    }
}
