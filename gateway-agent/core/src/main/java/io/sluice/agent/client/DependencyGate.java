package io.sluice.agent.client;

import io.sluice.agent.GateAgent;
import io.sluice.agent.Request;
import io.sluice.agent.verdict.Completion;
import io.sluice.agent.verdict.Verdict;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * The gate in front of something that a service calls: another service, a database, a model that costs money. Policies
 * find the calls under the dependency's name as {@code service}; each caller has its own limit, as at a door.
 *
 * <pre>{@code
 * DependencyGate billing = DependencyGate.to("billing", agent);
 * Invoice invoice = billing.run("acme", () -> client.invoice(4711));
 * }</pre>
 *
 * <p>Each call leaves an entry in the access log, with outcome and time taken: status 200 when it returned, 500 when it
 * threw, 429 when it was turned away. What the verdict holds, such as a place among the calls in flight, is given back
 * when the call is over. Thread-safe.
 */
public final class DependencyGate {
    private static final int DONE = 200;
    private static final int REJECTED = 429;
    private static final int FAILED = 500;

    private final GateAgent agent;
    private final String dependency;

    private DependencyGate(GateAgent agent, String dependency) {
        this.agent = agent;
        this.dependency = dependency;
    }

    /**
     * A gate that asks {@code agent}.
     *
     * @param dependency what is called, as policies name it
     * @throws IllegalArgumentException when it is blank
     */
    public static DependencyGate to(String dependency, GateAgent agent) {
        if (dependency.isBlank()) {
            throw new IllegalArgumentException("dependency is blank: what is called?");
        }
        return new DependencyGate(agent, dependency);
    }

    /** Starts a request to the dependency, charged to {@code caller}, for calls that have a route, a method or labels. */
    public Request.Builder request(String caller) {
        return Request.of(caller).service(dependency);
    }

    /**
     * Makes a call that is charged to {@code caller}. Waits for nothing but the call and, where a leaky bucket paces it,
     * its turn.
     *
     * @throws GateRejectedException when a lock or limit turns it away; the call is not made then
     * @throws CancellationException when the thread is interrupted while it waits for its turn; the call is not made then,
     *     and the thread stays interrupted
     */
    public <T> T run(String caller, Supplier<T> call) {
        return run(request(caller).build(), call);
    }

    /** As {@link #run(String, Supplier)}, for a request with more to it. */
    public <T> T run(Request request, Supplier<T> call) {
        GuardedCall guarded = new GuardedCall(request);
        guarded.enter();
        int status = FAILED;
        try {
            guarded.awaitTurn();
            T value = call.get();
            status = DONE;
            return value;
        } finally {
            guarded.done(status);
        }
    }

    /**
     * Starts a call that is charged to {@code caller}. It is over when its stage is: who gives up what is returned here ends
     * neither. A call whose turn has not come by then is not made.
     *
     * @return a stage that ends as the call's, or with {@link GateRejectedException} when a lock or limit turns it away
     */
    public <T> CompletionStage<T> start(String caller, Supplier<? extends CompletionStage<T>> call) {
        return start(request(caller).build(), call);
    }

    /** As {@link #start(String, Supplier)}, for a request with more to it. */
    public <T> CompletionStage<T> start(Request request, Supplier<? extends CompletionStage<T>> call) {
        GuardedCall guarded = new GuardedCall(request);
        try {
            guarded.enter();
        } catch (GateRejectedException e) {
            return CompletableFuture.failedStage(e);
        }
        long delay = guarded.verdict.delayNanos();
        return delay == 0 ? begin(guarded, call) : later(delay, guarded, call);
    }

    private static <T> CompletionStage<T> later(
            long delay, GuardedCall guarded, Supplier<? extends CompletionStage<T>> call) {
        CompletableFuture<T> result = new CompletableFuture<>();
        CompletableFuture.delayedExecutor(delay, TimeUnit.NANOSECONDS).execute(() -> {
            if (result.isDone()) {
                guarded.done(FAILED);
                return;
            }
            guarded.turn();
            begin(guarded, call).whenComplete((value, failure) -> {
                if (failure == null) {
                    result.complete(value);
                } else {
                    result.completeExceptionally(failure);
                }
            });
        });
        return result;
    }

    private static <T> CompletionStage<T> begin(GuardedCall guarded, Supplier<? extends CompletionStage<T>> call) {
        CompletionStage<T> stage;
        try {
            stage = Objects.requireNonNull(call.get(), "a call without a stage");
        } catch (Throwable e) {
            guarded.done(FAILED);
            return CompletableFuture.failedStage(e);
        }
        // a stage that its holder completes or cancels skips what it was to do: this one is handed to nobody
        return stage.whenComplete((value, failure) -> guarded.done(failure == null ? DONE : FAILED))
                .thenApply(value -> value);
    }

    /** A call on its way through the gate. */
    private final class GuardedCall {
        private final Request request;
        private final Verdict verdict;
        private final long checked = System.nanoTime();
        private volatile long since = checked;

        GuardedCall(Request request) {
            this.request = request;
            this.verdict = agent.check(request);
        }

        void enter() {
            if (verdict instanceof Verdict.Rejected rejected) {
                done(REJECTED);
                throw new GateRejectedException(rejected);
            }
        }

        /** Waiting is no service time. */
        void turn() {
            since = System.nanoTime();
        }

        void awaitTurn() {
            long delay = verdict.delayNanos();
            for (long left = delay; left > 0; left = checked + delay - System.nanoTime()) {
                LockSupport.parkNanos(this, left);
                if (Thread.currentThread().isInterrupted()) {
                    throw new CancellationException("interrupted while a leaky bucket held the call back");
                }
            }
            turn();
        }

        void done(int status) {
            // why a call failed is not known here, so it says nothing of load
            verdict.close(status == DONE ? Completion.SUCCESS : Completion.IGNORED);
            agent.log(request, verdict, status, 0, (System.nanoTime() - since) / 1000);
        }
    }
}
