package io.sluice.benchmarks.gate;

import io.sluice.agent.Request;
import io.sluice.agent.Verdict;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.ThreadParams;

/** 100,000 callers by Zipf's law, all of whom may pass; a million others are locked. One JMH method a contender. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Crowd {

    /** Who asks next. Each thread begins at another place of the same sequence. */
    @State(Scope.Thread)
    public static class Turn {
        private int[] draws = new int[0];
        private int at;

        @Setup
        public void start(Shared shared, ThreadParams thread) {
            draws = shared.draws;
            at = draws.length / thread.getThreadCount() * thread.getThreadIndex();
        }

        int next() {
            at = (at + 1) & (draws.length - 1);
            return draws[at];
        }
    }

    /** The names and their sequence. */
    @State(Scope.Benchmark)
    public static class Shared {
        private int[] draws = new int[0];
        private String[] names = new String[0];

        @Setup
        public void make() {
            draws = Callers.draws();
            names = Callers.asking();
        }
    }

    /** Ours, with its million locks. */
    @State(Scope.Benchmark)
    public static class Ours {
        @Param({"two", "one"})
        public String policies = "";

        private OurGate gate = OurGate.twoPolicies(Allowance.PLENTY);
        private Request[] requests = new Request[0];

        @Setup
        public void fill(Shared shared) {
            gate = policies.equals("two") ? OurGate.twoPolicies(Allowance.PLENTY) : OurGate.onePolicy(Allowance.PLENTY);
            requests = new Request[shared.names.length];
            for (int i = 0; i < requests.length; i++) {
                requests[i] = OurGate.request(shared.names[i]);
                gate.check(requests[i]);
            }
            gate.lockAMillion();
            System.gc();
        }
    }

    /** The floor. */
    @State(Scope.Benchmark)
    public static class Least {
        private Floor floor = new Floor(new String[0], 0);

        @Setup
        public void fill(Shared shared) {
            floor = new Floor(shared.names, Callers.LOCKED);
            System.gc();
        }
    }

    /** A limiter that knows callers only. */
    @State(Scope.Benchmark)
    public static class Peer {
        @Param({"bucket4j", "guava", "resilience4j", "sentinel"})
        public String peer = "";

        private Asked limiter = caller -> false;

        @Setup
        public void fill(Shared shared) {
            limiter = Peers.named(peer, Allowance.PLENTY);
            for (String name : shared.names) {
                limiter.mayPass(name);
            }
            System.gc();
        }
    }

    /** A check of a request that the service has at hand. */
    @Benchmark
    public Verdict check(Ours ours, Turn turn) {
        return ours.gate.check(ours.requests[turn.next()]);
    }

    /** The request is described, then checked. */
    @Benchmark
    public Verdict requestAndCheck(Ours ours, Shared shared, Turn turn) {
        return ours.gate.check(OurGate.request(shared.names[turn.next()]));
    }

    @Benchmark
    public boolean floor(Least least, Shared shared, Turn turn) {
        return least.floor.pass(shared.names[turn.next()]);
    }

    @Benchmark
    public boolean peer(Peer peer, Shared shared, Turn turn) {
        return peer.limiter.mayPass(shared.names[turn.next()]);
    }
}
