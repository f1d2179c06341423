package io.sluice.agent;

import io.sluice.agent.internal.gate.DecisionListener;
import io.sluice.agent.internal.gate.DecisionState;
import io.sluice.agent.internal.gate.Gatekeeper;
import io.sluice.agent.internal.log.LogQueue;
import io.sluice.agent.internal.quota.StrategyClients;
import io.sluice.agent.internal.trace.RejectionTrace;
import io.sluice.agent.quota.QuotaStatus;
import io.sluice.agent.quota.QuotaStrategy;
import io.sluice.agent.verdict.Verdict;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.pseudonym.PseudonymKey;
import io.sluice.contract.pseudonym.Pseudonyms;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gate inside a service. It answers checks from memory, follows locks, operator records and policies on Kafka, and publishes the access
 * log. Requests neither wait for nor fail because of Kafka or the analyzer. Thread-safe.
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
    private final Pseudonyms pseudonyms;
    /** Of the pseudonyms in use; {@code null} without any. */
    private final @Nullable PseudonymKey key;

    private final LongSupplier ticks = ticks();
    private final DecisionState decisions;
    private final Gatekeeper gatekeeper;
    private final StrategyClients clients;
    private final List<QuotaStrategy> strategies;
    private final AccessLog requestLog;
    private final AgentThreads threads;
    private final LongAdder passed = new LongAdder();
    private final LongAdder claimed = new LongAdder();
    private final RejectionTrace trace = RejectionTrace.here();
    private final Consumer<Verdict.Rejected> onSpan = trace::rejected;
    private final LongAdder failures = new LongAdder();
    private final StatusReporter report;
    private final AtomicBoolean closed = new AtomicBoolean();

    GateAgent(AgentSettings settings) {
        id = settings.id();
        service = settings.service();
        pseudonyms = settings.pseudonyms();
        key = pseudonyms.current();
        decisions = new DecisionState(settings.decisions());
        strategies = settings.strategies();
        clients = new StrategyClients(strategies, ticks, settings.quotaWaitNanos());
        gatekeeper = new Gatekeeper(decisions, ticks, clients);
        decisions.listen(new DecisionListener() {
            @Override
            public void policies(PolicySet policies) {
                warn(policies);
            }
        });
        LogQueue queue = new LogQueue(settings.logQueue());
        requestLog = new AccessLog(settings, decisions, ticks, queue);
        report = new StatusReporter(id, service, ticks, decisions, queue, passed, claimed, failures, clients);
        threads = new AgentThreads(settings, decisions, queue, report, ticks, failures::increment);
        settings.localPolicies().ifPresent(decisions::policies);
        threads.start();
    }

    /** Warns of limits of its service that no store counts, although they name one. */
    private void warn(PolicySet policies) {
        clients.limits(policies.policies().stream().flatMap(policy -> policy.limitRulesOf(service).stream()))
                .forEach(reason -> LOG.warn("Limits of the fleet: {}", reason));
    }

    /**
     * Returns a builder; {@code bootstrap} and {@code service} are required.
     *
     * @return a new builder
     * @throws IllegalStateException when kafka-clients, jackson-core or slf4j-api is older than the agent supports
     */
    public static GateAgentBuilder builder() {
        LibraryVersions.check();
        return new GateAgentBuilder();
    }

    /** Returns a clock of monotonic nanoseconds that starts at 0 and is never negative. */
    private static LongSupplier ticks() {
        long origin = System.nanoTime();
        return () -> System.nanoTime() - origin;
    }

    /**
     * Starts a request to this agent's service.
     *
     * @param caller the caller that is charged, see {@link Request#of}
     * @return a builder with the service set
     */
    public Request.Builder request(@Nullable String caller) {
        return Request.of(caller).service(service);
    }

    /**
     * Decides whether a request may pass, and when: {@link Verdict#delayNanos}. Never throws, and never blocks unless a policy names a strategy: then it
     * waits for the strategy, at most {@link GateAgentBuilder#quotaWait}, and {@link #checkAsync} does not. In any case an internal failure lets the
     * request pass and is counted. Reads the clock once, and takes no lock unless a limit meets a caller for the first time.
     *
     * <p>Allocates nothing, except in these cases: a limit meets a caller for the first time; a throttle rejects; a limit delays, counts requests in
     * flight or has a burst over 1,000 (two small objects); the request names no service (a copy); a policy counts by network (its text); there is
     * a key of pseudonyms (three hashes and a copy, used again by {@code log}).
     *
     * <p>The verdict must be closed when the request is done. A rejection is recorded on the current OpenTelemetry span, if the host has
     * OpenTelemetry.
     *
     * @param request the request to decide on
     * @return the verdict, allowed or rejected
     */
    public Verdict check(Request request) {
        return check(request, 1);
    }

    /**
     * As {@link #check(Request)}, for a request that may cost more than one: limits of policies with {@code measure: cost} are charged all the
     * permits or none, other limits one. Such a limit takes an object more. When the actual cost differs, report it by {@link Verdict#settle}.
     *
     * @param request the request to decide on
     * @param permits its cost, in the unit of the limits; 0 or less checks that a permit is left and returns it
     * @return the verdict; rejected with {@link Verdict.Reason#EXCEEDS_LIMIT} if a limit never has so many permits
     */
    public Verdict check(Request request, long permits) {
        long cost = Math.max(1, permits);
        try {
            if (request.identity() == Identity.CLAIMED) {
                claimed.increment();
            }
            Request asked = request.service() == null ? request.at(service) : request;
            return counted(
                    key == null
                            ? gatekeeper.check(asked, null, cost, ticks.getAsLong())
                            : gatekeeper.check(asked.under(key), former(asked), cost, ticks.getAsLong()),
                    permits,
                    onSpan);
        } catch (RuntimeException | StackOverflowError | LinkageError e) {
            return failed(e);
        }
    }

    private Verdict counted(Verdict verdict, long permits, Consumer<Verdict.Rejected> span) {
        if (permits < 1) {
            verdict.settle(0);
        }
        if (verdict.allowed()) {
            // rejections are counted where they are decided
            passed.increment();
        } else if (verdict instanceof Verdict.Rejected rejected) {
            span.accept(rejected);
        }
        return verdict;
    }

    /**
     * As {@link #check(Request)}, for threads that must not wait for the strategies that policies name.
     *
     * @param request the request to decide on
     * @return the verdict, completed at once unless a strategy is asked; never completed exceptionally. Then completed on a thread of the strategy
     *     or of the JDK's timer, within the wait for quotas
     */
    public CompletionStage<Verdict> checkAsync(Request request) {
        return checkAsync(request, 1);
    }

    /**
     * As {@link #check(Request, long)}, for threads that must not wait for the strategies that policies name.
     *
     * @param request the request to decide on
     * @param permits its cost, see {@link #check(Request, long)}
     * @return as {@link #checkAsync(Request)}
     */
    public CompletionStage<Verdict> checkAsync(Request request, long permits) {
        long cost = Math.max(1, permits);
        try {
            if (request.identity() == Identity.CLAIMED) {
                claimed.increment();
            }
            Request asked = request.service() == null ? request.at(service) : request;
            // the store's thread has no span, or that of another request
            Consumer<Verdict.Rejected> span = trace.captured();
            CompletionStage<Verdict> verdict = key == null
                    ? gatekeeper.checkAsync(asked, null, cost, ticks.getAsLong())
                    : gatekeeper.checkAsync(asked.under(key), former(asked), cost, ticks.getAsLong());
            return verdict.thenApply(it -> counted(it, permits, span)).exceptionally(this::failed);
        } catch (RuntimeException | StackOverflowError | LinkageError e) {
            return CompletableFuture.completedFuture(failed(e));
        }
    }

    private Verdict failed(Throwable error) {
        passed.increment();
        failures.increment();
        LOG.debug("Check failed; the request was allowed", error);
        return Verdict.Allowed.FREELY;
    }

    /**
     * Returns the state of the strategies of this agent, and of those that policies name and it does not have.
     *
     * @return a snapshot
     */
    public List<QuotaStatus> quotas() {
        return clients.status();
    }

    /**
     * Charges limits of policies with {@code measure: cost} what a request has used, also beyond them: for a cost that was not reserved, such as the
     * tokens of an answer that another process checked. Never blocks and never throws.
     *
     * @param request the request
     * @param permits its cost, in the unit of the limits; 0 or less charges nothing
     */
    public void charge(Request request, long permits) {
        try {
            Request asked = request.service() == null ? request.at(service) : request;
            if (permits > 0) {
                gatekeeper.charge(key == null ? asked : asked.under(key), permits, ticks.getAsLong());
            }
        } catch (RuntimeException | StackOverflowError | LinkageError e) {
            failures.increment();
            LOG.debug("A cost could not be charged", e);
        }
    }

    private @Nullable Request former(Request request) {
        PseudonymKey former = pseudonyms.former();
        return former == null ? null : request.under(former);
    }

    /**
     * Adds an entry to the access log. Never blocks; entries that do not fit into the queue are dropped and counted.
     *
     * @param event the entry, with caller and address as they are: pseudonyms are put in here
     */
    public void log(RequestEvent event) {
        requestLog.add(event);
    }

    /**
     * Adds an answered request to the access log. Log rejected requests too: the analyzer keeps a lock only while there is demand. Never
     * blocks and never throws.
     *
     * @param request the request
     * @param verdict its verdict
     * @param status the response's status, 0 when unknown
     * @param bytes the response's size in bytes, 0 when unknown
     * @param micros the service time in microseconds, 0 when unknown
     */
    public void log(Request request, Verdict verdict, int status, long bytes, long micros) {
        log(request, verdict, status, bytes, micros, 0);
    }

    /**
     * As {@link #log(Request, Verdict, int, long, long)}, with the cost of the request, for policies with {@code measure: cost}.
     *
     * @param request the request
     * @param verdict its verdict
     * @param status the response's status, 0 when unknown
     * @param bytes the response's size in bytes, 0 when unknown
     * @param micros the service time in microseconds, 0 when unknown
     * @param cost in a unit of the service's own, such as tokens or rows; 0 when unknown or rejected
     */
    public void log(Request request, Verdict verdict, int status, long bytes, long micros, long cost) {
        try {
            requestLog.add(request, verdict, status, bytes, micros, cost);
        } catch (RuntimeException e) {
            failures.increment();
            LOG.debug("a request could not be logged", e);
        }
    }

    /**
     * Returns the agent's id, which is unique in the fleet.
     *
     * @return the id
     */
    public String id() {
        return id;
    }

    /**
     * Returns the service that the agent guards.
     *
     * @return the service, as policies name it
     */
    public String service() {
        return service;
    }

    /**
     * Returns the agent's state. Visits every lock: for monitoring, not for each request.
     *
     * @return a snapshot
     */
    public AgentStatus status() {
        return report.status(threads);
    }

    /**
     * Adds a listener and calls it with the policies in force.
     *
     * @param listener receives policies and applied locks from now on
     */
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
     * Returns why the agent is not fully working: {@code status().reasons()} without the cost of the rest.
     *
     * @return reasons in words, empty when there are none
     */
    public List<String> reasons() {
        return report.reasons(threads);
    }

    /**
     * Returns whether the lock table can be trusted: {@code status().freshness()} without the cost of the rest.
     *
     * @return the freshness
     */
    public Freshness freshness() {
        return decisions.freshness();
    }

    /**
     * Sends the rest of the access log for at most two seconds, and the corrections that wait for central stores for at most one second per
     * strategy, removes the agent from the fleet, and ends all threads. Checks are still answered from memory afterwards. Returns within seconds even when Kafka is down. Further calls have no effect.
     */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            threads.close();
            clients.drain();
            strategies.forEach(QuotaStrategy::close);
        }
    }
}
