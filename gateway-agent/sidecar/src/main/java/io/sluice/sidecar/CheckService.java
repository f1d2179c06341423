package io.sluice.sidecar;

import io.sluice.agent.GateAgent;
import io.sluice.agent.verdict.Verdict;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Asks the agent on behalf of all doors. Thread-safe. */
final class CheckService {
    private final GateAgent agent;
    private final int rejectStatus;

    CheckService(GateAgent agent, int rejectStatus) {
        this.agent = agent;
        this.rejectStatus = rejectStatus;
    }

    /** The verdict; what is allowed and paced by a leaky bucket is answered {@linkplain #inTurn in its turn}. */
    Verdict ask(Check check) {
        Verdict verdict = agent.check(check.request());
        // no proxy tells when the request is over, so nothing can be held for it
        verdict.close();
        if (check.logged()) {
            agent.log(check.request(), verdict, verdict.allowed() ? 0 : rejectStatus, 0, 0);
        }
        return verdict;
    }

    /** Answers now, or when the request's turn has come. Nobody's thread waits. */
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
