package io.sluice.benchmarks.gate;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

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
import org.openjdk.jmh.infra.ThreadParams;

/**
 * 100,000 callers by Zipf's law, all of whom may pass; a million others are locked. One JMH method a contender, and each
 * begins with what every service has done when it asks: it has read the caller's name. Names that lie about in memory would
 * delay another thread, and a service has none: it has just received this one.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Crowd {

    /** Whose request comes next. Each thread begins at another place of the same sequence. */
    @State(Scope.Thread)
    public static class Turn {
        private byte[] received = new byte[0];
        private int at;

        @Setup
        public void start(Shared shared, ThreadParams thread) {
            received = shared.received;
            at = received.length / thread.getThreadCount() * thread.getThreadIndex() / Callers.FRAME * Callers.FRAME;
        }

        String name() {
            at = (at + Callers.FRAME) & (received.length - 1);
            return new String(received, at + 1, received[at], ISO_8859_1);
        }
    }

    /** The names, and the requests as they come in. */
    @State(Scope.Benchmark)
    public static class Shared {
        private String[] names = new String[0];
        private byte[] received = new byte[0];

        @Setup
        public void make() {
            names = Callers.asking();
            received = Callers.received(names);
        }
    }

    /** Ours, with its million locks. */
    @State(Scope.Benchmark)
    public static class Ours {
        @Param({"two", "one"})
        public String policies = "";

        private OurGate gate = OurGate.twoPolicies(Allowance.PLENTY);

        @Setup
        public void fill(Shared shared) {
            gate = policies.equals("two") ? OurGate.twoPolicies(Allowance.PLENTY) : OurGate.onePolicy(Allowance.PLENTY);
            for (String name : shared.names) {
                gate.check(OurGate.request(name));
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

    /** What all of them do before they ask. */
    @Benchmark
    public String name(Turn turn) {
        return turn.name();
    }

    /** What ours does besides: it is told more of a request than a name. */
    @Benchmark
    public Request request(Turn turn) {
        return OurGate.request(turn.name());
    }

    @Benchmark
    public Verdict check(Ours ours, Turn turn) {
        return ours.gate.check(OurGate.request(turn.name()));
    }

    @Benchmark
    public boolean floor(Least least, Turn turn) {
        return least.floor.pass(turn.name());
    }

    @Benchmark
    public boolean peer(Peer peer, Turn turn) {
        return peer.limiter.mayPass(turn.name());
    }
}
