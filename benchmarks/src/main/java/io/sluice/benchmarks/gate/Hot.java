package io.sluice.benchmarks.gate;

import io.sluice.agent.Request;
import io.sluice.agent.verdict.Verdict;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** One caller, as hard as the threads can: every request passes, or every one is turned away. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Hot {
    private static final String CALLER = "caller-7";

    /** Ours; {@code lock} is turned away by a lock, {@code limit} by the limiter. */
    @State(Scope.Benchmark)
    public static class Ours {
        @Param({"permit", "limit", "lock"})
        public String answer = "";

        private OurGate gate = OurGate.twoPolicies(Allowance.NOTHING);
        private final Request request = OurGate.request(CALLER);

        @Setup
        public void fill() {
            gate = OurGate.twoPolicies(answer.equals("permit") ? Allowance.EVERYTHING : Allowance.NOTHING);
            if (answer.equals("lock")) {
                gate.lock(CALLER);
            } else {
                gate.lock("somebody else");
            }
            gate.check(request);
        }
    }

    /** The others. */
    @State(Scope.Benchmark)
    public static class Peer {
        @Param({"bucket4j", "guava", "resilience4j", "sentinel"})
        public String peer = "";

        @Param({"permit", "reject"})
        public String answer = "";

        private Asked limiter = caller -> false;

        @Setup
        public void fill() {
            limiter = Peers.named(peer, answer.equals("permit") ? Allowance.EVERYTHING : Allowance.NOTHING);
            limiter.mayPass(CALLER);
        }
    }

    @Benchmark
    public Verdict check(Ours ours) {
        return ours.gate.check(ours.request);
    }

    @Benchmark
    public boolean peer(Peer peer) {
        return peer.limiter.mayPass(CALLER);
    }
}
