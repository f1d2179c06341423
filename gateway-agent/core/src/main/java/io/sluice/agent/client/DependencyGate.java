package io.sluice.agent.client;

import io.sluice.agent.GateAgent;
import io.sluice.agent.Request;
import io.sluice.agent.verdict.Completion;
import io.sluice.agent.verdict.Verdict;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * The gate in front of a dependency of a service: another service, a database, a paid API. Policies match the calls by the dependency's name
 * as {@code service}; each caller has its own limit, as at a door.
 *
 * <pre>{@code
 * DependencyGate billing = DependencyGate.to("billing", agent);
 * Invoice invoice = billing.run("acme", () -> client.invoice(4711));
 * }</pre>
 *
 * <p>Each call is logged with its outcome and duration: status 200 when it returned, 500 when it threw, 429 when it was rejected. Permits of
 * concurrency limits are returned when the call ends. Thread-safe.
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
     * Returns a gate for a dependency.
     *
     * @param dependency the name that policies use; not blank
     * @param agent decides on the calls; stays open
     * @return a gate
     * @throws IllegalArgumentException when the name is blank
     */
    public static DependencyGate to(String dependency, GateAgent agent) {
        if (dependency.isBlank()) {
            throw new IllegalArgumentException(
                    "dependency must not be blank: the name that policies use for what is called");
        }
        return new DependencyGate(agent, dependency);
    }

    /**
     * Starts a request to the dependency, for calls with a route, a method or labels.
     *
     * @param caller the caller that is charged
     * @return a builder with the service set
     */
    public Request.Builder request(String caller) {
        return Request.of(caller).service(dependency);
    }

    /**
     * Makes a call. Blocks for the call, for the answer of a central store ({@link GateAgent#check(Request)}), and for the delay of a leaky bucket.
     *
     * @param <T> the call's result
     * @param caller the caller that is charged
     * @param call makes the call
     * @return the call's result
     * @throws GateRejectedException when a lock or limit rejects the call, which is not made then
     * @throws CancellationException when the thread is interrupted during the delay; the call is not made, and the thread stays interrupted
     */
    public <T> T run(String caller, Supplier<T> call) {
        return run(request(caller).build(), call);
    }

    /**
     * Makes a call as {@link #run(String, Supplier)}.
     *
     * @param <T> the call's result
     * @param request the request, see {@link #request}
     * @param call makes the call
     * @return the call's result
     */
    public <T> T run(Request request, Supplier<T> call) {
        GuardedCall guarded = new GuardedCall(request, agent.check(request));
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
     * Starts a call, which ends with its stage. Does not block: a call that a central store or a leaky bucket holds back is started on a thread of
     * the common pool. Cancelling the returned stage does not cancel the call, but a call that is still held back is not made then.
     *
     * @param <T> the call's result
     * @param caller the caller that is charged
     * @param call starts the call
     * @return a stage that completes as the call's, or with {@link GateRejectedException} when a lock or limit rejects the call
     */
    public <T> CompletionStage<T> start(String caller, Supplier<? extends CompletionStage<T>> call) {
        return start(request(caller).build(), call);
    }

    /**
     * Starts a call as {@link #start(String, Supplier)}.
     *
     * @param <T> the call's result
     * @param request the request, see {@link #request}
     * @param call starts the call
     * @return a stage that completes as the call's
     */
    public <T> CompletionStage<T> start(Request request, Supplier<? extends CompletionStage<T>> call) {
        CompletableFuture<Verdict> asked = agent.checkAsync(request).toCompletableFuture();
        if (asked.isDone() && asked.join().delayNanos() == 0) {
            return begin(new GuardedCall(request, asked.join()), call);
        }
        CompletableFuture<T> result = new CompletableFuture<>();
        var unused = asked.thenAccept(verdict -> later(new GuardedCall(request, verdict), call, result));
        return result;
    }

    /** Begins a call when its delay is over, never on the thread that answered for a central store: the call may block. */
    private static <T> void later(
            GuardedCall guarded, Supplier<? extends CompletionStage<T>> call, CompletableFuture<T> result) {
        Executor turn = CompletableFuture.delayedExecutor(guarded.verdict.delayNanos(), TimeUnit.NANOSECONDS);
        turn.execute(() -> {
            if (result.isDone() && guarded.verdict.allowed()) {
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
    }

    private static <T> CompletionStage<T> begin(GuardedCall guarded, Supplier<? extends CompletionStage<T>> call) {
        CompletionStage<T> stage;
        try {
            guarded.enter();
        } catch (GateRejectedException e) {
            return CompletableFuture.failedStage(e);
        }
        try {
            stage = Objects.requireNonNull(call.get(), "a call without a stage");
        } catch (Throwable e) {
            // Errors too, and exceptions that Kotlin does not declare: the permit is returned, and the caller gets the
            // cause in the stage
            guarded.done(FAILED);
            return CompletableFuture.failedStage(e);
        }
        // a dependent stage is skipped when its holder completes or cancels it, so this one is not handed out
        return stage.whenComplete((value, failure) -> guarded.done(failure == null ? DONE : FAILED))
                .thenApply(value -> value);
    }

    /** A call that has been checked. */
    private final class GuardedCall {
        private final Request request;
        private final Verdict verdict;
        /** When the verdict was known. */
        private final long checked = System.nanoTime();

        private volatile long since = checked;

        GuardedCall(Request request, Verdict verdict) {
            this.request = request;
            this.verdict = verdict;
        }

        void enter() {
            if (verdict instanceof Verdict.Rejected rejected) {
                done(REJECTED);
                throw new GateRejectedException(rejected);
            }
        }

        /** Restarts the service time, which excludes the delay. */
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
            // the cause of a failure is unknown here, so it does not count as overload
            verdict.close(status == DONE ? Completion.SUCCESS : Completion.IGNORED);
            agent.log(request, verdict, status, 0, (System.nanoTime() - since) / 1000);
        }
    }
}
