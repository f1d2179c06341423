package io.sluice.analyzer.accuracy;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.LongStream;

/**
 * Ways in which requests arrive over some windows' time: the everyday ones first, then those that are meant to get through
 * between panes.
 */
enum Arrivals {
    STEADY(false) {
        @Override
        LongStream times(Random random, long window, long pane, int busy) {
            return LongStream.range(0, (long) WINDOWS * busy).map(i -> i * window / busy);
        }
    },
    POISSON(false) {
        @Override
        LongStream times(Random random, long window, long pane, int busy) {
            return train(window, time -> exponential(random, (double) window / busy));
        }
    },
    RAMP(false) {
        @Override
        LongStream times(Random random, long window, long pane, int busy) {
            double slowest = 4.0 * window / busy;
            return train(window, time -> slowest * Math.max(0.1, 1 - time / (WINDOWS * (double) window)));
        }
    },
    ON_OFF(false) {
        @Override
        LongStream times(Random random, long window, long pane, int busy) {
            double[] endsAt = {exponential(random, (double) window)};
            return train(window, time -> {
                double silence = 0;
                if (time > endsAt[0]) {
                    silence = exponential(random, window / 2.0);
                    endsAt[0] = time + silence + exponential(random, (double) window);
                }
                return silence + exponential(random, window / (1.5 * busy));
            });
        }
    },
    /** A burst, then silence for a window or more. */
    GAPS(false) {
        @Override
        LongStream times(Random random, long window, long pane, int busy) {
            int[] left = {busy};
            return train(window, time -> {
                if (--left[0] > 0) {
                    return window / (4.0 * busy);
                }
                left[0] = busy;
                return window + random.nextInt(3) - 1 + (random.nextBoolean() ? 0 : random.nextInt((int) window));
            });
        }
    },
    /** On and off, in a period of about a window. */
    SQUARE(true) {
        @Override
        LongStream times(Random random, long window, long pane, int busy) {
            long[] around = {-window / 10, -pane, -1, 0, 1, pane, window / 10};
            long period = window + around[random.nextInt(around.length)];
            return LongStream.range(0, (long) WINDOWS * busy)
                    .map(i -> i / busy * period + i % busy * (period / 2) / busy);
        }
    },
    /** Bursts just before, at and just after the border of a pane. */
    BORDERS(true) {
        @Override
        LongStream times(Random random, long window, long pane, int busy) {
            return bursts(
                    random, 3 * WINDOWS, window, busy / 3, () -> border(random, window, pane) + random.nextInt(3) - 1);
        }
    },
    /** Many within a few milliseconds, several of them in each. */
    SUB_MILLI(true) {
        @Override
        LongStream times(Random random, long window, long pane, int busy) {
            return LongStream.range(0, 2 * WINDOWS).flatMap(i -> {
                long at = random.nextInt((int) (WINDOWS * window));
                return LongStream.range(0, busy / 2).map(j -> at + random.nextInt(3));
            });
        }
    },
    /** All of a burst at the same time, some bursts a whole window apart. */
    SAME_TIME(true) {
        @Override
        LongStream times(Random random, long window, long pane, int busy) {
            long[] apart = {window / 4, window / 2, window - 1, window, window + 1};
            long[] at = {random.nextInt((int) window)};
            return bursts(random, 3 * WINDOWS, window, busy / 3, () -> at[0] += apart[random.nextInt(apart.length)]);
        }
    },
    /** A half when a pane begins or ends, the other half when all but a part of a window has passed. */
    TWO_HALVES(true) {
        @Override
        LongStream times(Random random, long window, long pane, int busy) {
            long[] into = {0, 1, pane - 1};
            long[] early = {1, pane - 1, pane, pane + 1};
            long cycle = 5 * window / 2;
            return LongStream.range(0, 2).flatMap(i -> {
                long first = (i * cycle / pane + random.nextInt(10)) * pane + into[random.nextInt(into.length)];
                long second = first + window - early[random.nextInt(early.length)];
                return LongStream.range(0, busy).map(j -> j % 2 == 0 ? first : second);
            });
        }
    },
    /** Most of it at the border of a pane, the rest one by one until that has almost left the window. */
    FRONT_LOADED(true) {
        @Override
        LongStream times(Random random, long window, long pane, int busy) {
            return LongStream.range(0, 2).flatMap(i -> {
                long first = (i * 2 * window / pane + random.nextInt(10)) * pane + random.nextInt(2);
                int most = busy * 7 / 10;
                return LongStream.range(0, busy)
                        .map(j -> j < most ? first : first + (j - most + 1) * (window - 1) / (busy - most));
            });
        }
    };

    /** How many windows a workload lasts. */
    static final int WINDOWS = 5;

    /** Whether it is made to get through. */
    final boolean adversarial;

    Arrivals(boolean adversarial) {
        this.adversarial = adversarial;
    }

    /**
     * Times from 0 on, in no order.
     *
     * @param busy so many in a window are more than enough for the purpose
     */
    abstract LongStream times(Random random, long window, long pane, int busy);

    /** In order, and shifted. */
    final long[] times(Random random, long window, long pane, int busy, long shift) {
        long[] times = times(random, window, pane, busy).map(it -> it + shift).toArray();
        Arrays.sort(times);
        return times;
    }

    private interface Gap {
        double after(double time);
    }

    private interface Moment {
        long next();
    }

    private static LongStream train(long window, Gap gap) {
        LongStream.Builder times = LongStream.builder();
        for (double time = gap.after(0); time < WINDOWS * (double) window; time += gap.after(time)) {
            times.add((long) time);
        }
        return times.build();
    }

    private static LongStream bursts(Random random, int bursts, long window, int size, Moment moment) {
        LongStream.Builder times = LongStream.builder();
        for (int i = 0; i < bursts; i++) {
            long at = moment.next();
            int events = 1 + size / 2 + random.nextInt(Math.max(1, size));
            for (int j = 0; j < events && at < WINDOWS * window; j++) {
                times.add(at);
            }
        }
        return times.build();
    }

    private static long border(Random random, long window, long pane) {
        return (1 + random.nextInt((int) (WINDOWS * window / pane) - 1)) * pane;
    }

    private static double exponential(Random random, double mean) {
        return -mean * Math.log(1 - random.nextDouble());
    }
}
