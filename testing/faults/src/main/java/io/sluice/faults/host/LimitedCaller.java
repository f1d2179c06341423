package io.sluice.faults.host;

import io.sluice.agent.GateAgent;
import io.sluice.agent.Request;
import io.sluice.agent.verdict.Verdict;
import io.sluice.faults.history.BucketLaw;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** One caller with a token bucket of its own, each of whose verdicts is checked against the exact bound. No other thread may call as this caller. */
final class LimitedCaller {
    private static final long SECOND = 1_000_000_000;

    private final GateAgent agent;
    private final Duration patience;
    private volatile boolean stopped = true;
    private volatile long least;
    private Thread thread = new Thread(() -> {});
    private BucketLaw law = new BucketLaw(1, 1);

    /** @param patience how long {@link #stop} waits for calls to be admitted */
    LimitedCaller(GateAgent agent, Duration patience) {
        this.agent = agent;
        this.patience = patience;
    }

    /** {@code CALLER CALLS_PER_SECOND TOKENS_PER_SECOND BURST} */
    String start(List<String> arguments) {
        Request request =
                agent.request(arguments.get(0)).route("/orders").method("GET").build();
        long interval = SECOND / Long.parseLong(arguments.get(1));
        BucketLaw judge = new BucketLaw(Double.parseDouble(arguments.get(2)), Double.parseDouble(arguments.get(3)));
        law = judge;
        least = 0;
        stopped = false;
        thread = new Thread(() -> call(request, interval, judge), "host-limited");
        thread.setDaemon(true);
        thread.start();
        return "calling as " + arguments.get(0);
    }

    private void call(Request request, long interval, BucketLaw judge) {
        while (!stopped || judge.admitted() < least) {
            long before = System.nanoTime();
            try (Verdict verdict = agent.check(request)) {
                judge.check(before, System.nanoTime(), verdict.allowed());
            }
            LockSupport.parkNanos(interval);
        }
    }

    /**
     * Ends it once so many calls were admitted, {@code CALLS}: how many of its verdicts no bucket could have given.
     *
     * @throws IllegalStateException when fewer were admitted when the patience is over
     */
    String stop(List<String> arguments) throws InterruptedException {
        long calls = Long.parseLong(arguments.get(0));
        least = calls;
        stopped = true;
        thread.join(patience.toMillis());
        if (thread.isAlive()) {
            least = 0;
            thread.join();
            throw new IllegalStateException(law.admitted() + " of " + law.checks() + " calls were admitted, at least "
                    + calls + " were expected");
        }
        return "checks=" + law.checks() + " admitted=" + law.admitted() + " wrong="
                + law.wrong().size() + " " + law.wrong().stream().limit(3).toList();
    }
}
