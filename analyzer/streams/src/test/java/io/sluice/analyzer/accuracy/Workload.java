package io.sluice.analyzer.accuracy;

import io.sluice.analyzer.TestPolicies;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.Outcome;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/**
 * A log made from a seed, and the policy it is made for: one that locks a caller whose sum over a window is above a number.
 * Callers arrive in every way of {@link Arrivals}, and are held to a peak of their own: many just over the number, as many
 * just under it.
 *
 * @param policies the one policy, for a service of its own
 * @param events in the order of time
 * @param peaks each caller's highest sum over any window, in the measure's smallest unit
 */
public record Workload(PolicySet policies, List<RequestEvent> events, Map<String, Long> peaks) {
    /** How many seeds there are; each is another workload. */
    public static final int SEEDS = 220;

    /** How many callers a workload has where there is time for all of it. */
    static final int CALLERS = 54;

    private static final long AROUND = 1_763_700_000_000L;
    private static final long[] WINDOWS = {1_200, 3_000, 12_000, 60_000, 180_000, 600_000};
    private static final int[] PANES = {10, 60, 600};
    private static final String[] MEASURES = {"requests", "bytes", "millis"};
    private static final int MOST_EVENTS_A_WINDOW = 180;

    private record Arrival(long time, int tie, String caller, long amount) {}

    /** The workload of a seed, with the panes that fall to it; the shortest window is a second, too short for more than ten panes. */
    public static Workload of(long seed, int callers) {
        int panes = PANES[(int) (seed % PANES.length)];
        return of(seed, callers, panes == 10 && seed % 2 == 0 && seed / 3 % 4 == 0 ? 1_000 : 0, panes);
    }

    /** The workload of a seed with as many panes. */
    public static Workload withPanes(long seed, int callers, int panes) {
        return of(seed, callers, 0, panes);
    }

    private static Workload of(long seed, int callers, long givenWindow, int panes) {
        Random random = new Random(seed);
        long window = givenWindow > 0 ? givenWindow : WINDOWS[(int) (seed / 3 % WINDOWS.length)];
        String measure = MEASURES[(int) (seed / 18 % MEASURES.length)];
        long threshold = measure.equals("requests") ? 50 + random.nextInt(150) : 500 + random.nextInt(100_000);
        return new Generator(random, seed, policies(seed, measure, window, panes, threshold)).workload(callers);
    }

    private static PolicySet policies(long seed, String measure, long window, int panes, long threshold) {
        return TestPolicies.set("{'guard':{'subjects':'100%','atLeast':100000,'atMost':1000000},'policies':[{"
                + "'name':'p-" + seed + "','match':{'service':'s-" + seed + "'},'per':['caller'],'measure':'" + measure
                + "','window':'" + window + "ms','panes':" + panes + ",'lock':{'when':[{'above':" + threshold
                + "}]}}]}");
    }

    /** The everyday kind: callers of very different rates, each a Poisson process, most of them far from the limit. */
    public static Workload crowd(long seed, int callers, int panes) {
        PolicySet policies = policies(seed, "requests", 60_000, panes, 100);
        return new Generator(new Random(seed), seed, policies).crowd(callers);
    }

    public Policy policy() {
        return policies.policies().get(0);
    }

    /** The policy's number, in the measure's smallest unit. */
    public long limit() {
        return Math.round(policy().smallestThreshold() * policy().measure().scale());
    }

    /** How many callers had a peak from one part of the limit (not included) to another. */
    public long peaking(double above, double upTo) {
        return peaks.values().stream()
                .filter(peak -> peak > above * limit() && peak <= upTo * limit())
                .count();
    }

    private static final class Generator {
        private final Random random;
        private final long seed;
        private final PolicySet policies;
        private final Policy policy;
        private final long limit;
        private final long start;
        private final List<Arrival> arrivals = new ArrayList<>();
        private final Map<String, Long> peaks = new HashMap<>();

        private Generator(Random random, long seed, PolicySet policies) {
            this.random = random;
            this.seed = seed;
            this.policies = policies;
            policy = policies.policies().get(0);
            limit = Math.round(policy.smallestThreshold() * policy.measure().scale());
            // at the border of a pane, anywhere in a window
            start = (policy.window().paneOf(AROUND)
                            + random.nextInt(policy.window().panes()))
                    * policy.window().paneMillis();
        }

        private Workload workload(int callers) {
            Arrivals[] kinds = Arrivals.values();
            int offset = random.nextInt(kinds.length);
            for (int i = 0; i < callers; i++) {
                caller(kinds[(i + offset) % kinds.length], i);
            }
            return inOrder();
        }

        private Workload crowd(int callers) {
            long window = policy.window().millis();
            for (int i = 0; i < callers; i++) {
                // a log-normal rate: half of them below a tenth of the limit, some far above it
                int busy = (int) Math.max(1, limit / 10.0 * Math.exp(1.2 * random.nextGaussian()));
                String name = "crowd-" + i;
                Peak peak = new Peak(window);
                for (long time :
                        Arrivals.POISSON.times(random, window, policy.window().paneMillis(), busy, start)) {
                    peak.admit(time, 1, Long.MAX_VALUE);
                    arrivals.add(new Arrival(time, random.nextInt(), name, 1));
                }
                peaks.put(name, peak.highest());
            }
            return inOrder();
        }

        private Workload inOrder() {
            arrivals.sort(Comparator.comparingLong(Arrival::time).thenComparingInt(Arrival::tie));
            List<RequestEvent> events = new ArrayList<>(arrivals.size());
            for (Arrival arrival : arrivals) {
                events.add(event(arrival, Outcome.ALLOWED, Identity.AUTHENTICATED));
                if (random.nextInt(60) == 0) {
                    // neither of these counts
                    events.add(
                            random.nextBoolean()
                                    ? event(arrival, Outcome.LOCKED, Identity.AUTHENTICATED)
                                    : event(arrival, Outcome.ALLOWED, Identity.CLAIMED));
                }
            }
            return new Workload(policies, List.copyOf(events), Map.copyOf(peaks));
        }

        private void caller(Arrivals kind, int number) {
            long cap = cap(number);
            boolean requests = policy.measure().name().equals("requests");
            int events = (int) (requests ? cap * 13 / 10 + 3 : MOST_EVENTS_A_WINDOW);
            String name = kind.name().toLowerCase(Locale.ROOT) + "-" + number + "-" + seed;
            Peak peak = new Peak(policy.window().millis());
            // every second caller holds back at first, so that its window is full when it crosses
            long heldBackUntil =
                    number % 2 == 0 ? start : start + policy.window().millis() * 3 / 2;
            long[] times =
                    kind.times(random, policy.window().millis(), policy.window().paneMillis(), events, start);
            for (long time : times) {
                // twice the mean that fills the cap, so that enough of it comes even where half of the time nothing
                // does
                long amount = requests ? 1 : 1 + (long) (random.nextDouble() * 3 * cap / events);
                long fits = peak.admit(time, amount, time < heldBackUntil ? Math.min(cap, limit * 3 / 5) : cap);
                if (fits > 0) {
                    arrivals.add(new Arrival(time, random.nextInt(), name, fits));
                }
            }
            peaks.put(name, peak.highest());
        }

        /** Of ten callers, four come to lie just over the limit, four just under it or at it, one far over and one far under. */
        private long cap(int number) {
            long part = limit / 5;
            // in steps of three, so that a few callers are of different kinds, too
            return switch (3 * number % 10) {
                case 0 -> limit + 1;
                case 1, 2, 3 -> limit + 1 + (long) (random.nextDouble() * (part - 1));
                case 4 -> limit;
                case 5, 6, 7 -> limit - (long) (random.nextDouble() * part);
                case 8 -> limit * 3 / 2 + (long) (random.nextDouble() * limit);
                default -> Math.max(1, (long) (random.nextDouble() * 0.7 * limit));
            };
        }

        private RequestEvent event(Arrival arrival, Outcome outcome, Identity identity) {
            boolean bytes = policy.measure().name().equals("bytes");
            boolean millis = policy.measure().name().equals("millis");
            return new RequestEvent(
                    arrival.time,
                    arrival.caller,
                    "s-" + seed,
                    null,
                    null,
                    null,
                    outcome.rejected() ? 429 : 200,
                    bytes ? arrival.amount : 0,
                    millis ? arrival.amount : 0,
                    null,
                    outcome,
                    1,
                    identity,
                    Map.of());
        }
    }
}
