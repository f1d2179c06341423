package io.sluice.sidecar;

import io.sluice.agent.GateAgent;
import io.sluice.agent.verdict.Verdict;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Asks the agent for all endpoints, without blocking their threads. Thread-safe. */
final class CheckService {
    private static final CompletionStage<Verdict> ALLOWED = CompletableFuture.completedFuture(Verdict.Allowed.FREELY);

    private final GateAgent agent;
    private final int rejectStatus;

    CheckService(GateAgent agent, int rejectStatus) {
        this.agent = agent;
        this.rejectStatus = rejectStatus;
    }

    /**
     * Returns the verdict: complete unless a central store is asked, then completed within {@code agent.quota.wait} on a thread that must not block.
     * The request is charged, logged and closed even if the client leaves before. Requests that a leaky bucket delays are answered
     * {@linkplain #inTurn later}.
     */
    CompletionStage<Verdict> ask(Check check) {
        if (check.used()) {
            agent.charge(check.request(), check.cost());
            return ALLOWED;
        }
        return agent.checkAsync(check.request(), check.cost()).thenApply(verdict -> closed(check, verdict));
    }

    private Verdict closed(Check check, Verdict verdict) {
        // proxies do not report the end of a request, so it cannot hold a permit
        verdict.close();
        if (check.logged()) {
            agent.log(
                    check.request(),
                    verdict,
                    verdict.allowed() ? 0 : rejectStatus,
                    0,
                    0,
                    verdict.allowed() ? check.cost() : 0);
        }
        return verdict;
    }

    /** Answers now, or after the delay without blocking a thread. */
    static void inTurn(long delayNanos, Runnable answer) {
        if (delayNanos <= 0) {
            answer.run();
        } else {
            CompletableFuture.delayedExecutor(delayNanos, TimeUnit.NANOSECONDS).execute(answer);
        }
    }

    String service() {
        return agent.service();
    }

    int rejectStatus() {
        return rejectStatus;
    }
}
