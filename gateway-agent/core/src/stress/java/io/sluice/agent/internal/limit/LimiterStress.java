package io.sluice.agent.internal.limit;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;

/**
 * Model checking: of small random programs, interleavings of their threads are tried, one switch after the other, and each
 * answer must be one that some order of the calls, one at a time, gives too. A class is its own specification.
 */
public final class LimiterStress {
    private static final int ITERATIONS = Integer.getInteger("iterations", 30);
    private static final int INVOCATIONS = Integer.getInteger("invocations", 1000);

    private LimiterStress() {}

    /** Takes at two times, one or two at once, under two limits; the remaining count is part of the answer. */
    private abstract static class Taking<T extends LimiterConfig> {
        private final Limiter<T> limiter;
        private final T terms;
        private final T others;

        Taking(Limiter<T> limiter, T terms, T others) {
            this.limiter = limiter;
            this.terms = terms;
            this.others = others;
        }

        @Operation
        public long early() {
            return limiter.take(terms, 1, 100);
        }

        @Operation
        public long later() {
            return limiter.take(terms, 1, 205);
        }

        @Operation
        public long two() {
            return limiter.take(terms, 2, 205);
        }

        @Operation
        public long underAnotherLimit() {
            return limiter.take(others, 1, 205);
        }
    }

    /** Takes while the limiter is forgotten and made anew, as a table does: that must not be seen. */
    private abstract static class Forgetting<T extends LimiterConfig> {
        private final AtomicReference<Limiter<T>> limiter = new AtomicReference<>();
        private final Supplier<Limiter<T>> anew;
        private final T terms;

        Forgetting(Supplier<Limiter<T>> anew, T terms) {
            this.anew = anew;
            this.terms = terms;
            limiter.set(anew.get());
        }

        @Operation
        public long take() {
            while (true) {
                Limiter<T> current = limiter.get();
                long answer = current.take(terms, 1, 205);
                if (answer != Limiter.REMOVED) {
                    return answer;
                }
                limiter.compareAndSet(current, anew.get());
            }
        }

        @Operation
        public void forget() {
            limiter.get().removeIfIdle(205);
        }
    }

    private static final WindowRate WINDOW = new WindowRate(3, 100);
    private static final WindowRate OTHER = new WindowRate(4, 160);
    private static final TokenRate RATE = TokenRate.of(3, 100, 3);

    public static final class Bucket extends Taking<TokenRate> {
        public Bucket() {
            super(new TokenBucket(0), RATE, RATE);
        }
    }

    public static final class Log extends Taking<WindowRate> {
        public Log() {
            super(new SlidingLogLimiter(0), WINDOW, OTHER);
        }
    }

    public static final class Sliding extends Taking<WindowRate> {
        public Sliding() {
            super(new SlidingWindowLimiter(WINDOW, 0), WINDOW, WINDOW);
        }
    }

    public static final class Fixed extends Taking<WindowRate> {
        public Fixed() {
            super(fixed(), WINDOW, WINDOW);
        }
    }

    public static final class Leaky extends Taking<Pace> {
        public Leaky() {
            super(leaky(), new Pace(30, 60), new Pace(10, 90));
        }
    }

    public static final class ForgetBucket extends Forgetting<TokenRate> {
        public ForgetBucket() {
            super(() -> new TokenBucket(205), RATE);
        }
    }

    public static final class ForgetLog extends Forgetting<WindowRate> {
        public ForgetLog() {
            super(() -> new SlidingLogLimiter(205), WINDOW);
        }
    }

    public static final class ForgetSliding extends Forgetting<WindowRate> {
        public ForgetSliding() {
            super(() -> new SlidingWindowLimiter(WINDOW, 205), WINDOW);
        }
    }

    public static final class ForgetFixed extends Forgetting<WindowRate> {
        public ForgetFixed() {
            super(LimiterStress::fixed, WINDOW);
        }
    }

    private static Limiter<WindowRate> fixed() {
        FixedWindowLimiter window = new FixedWindowLimiter();
        window.settle(WINDOW, false, 0);
        return window;
    }

    private static Limiter<Pace> leaky() {
        LeakyBucket bucket = new LeakyBucket();
        bucket.settle(new Pace(30, 60), false, 0);
        return bucket;
    }

    public static void main(String[] args) {
        for (Class<?> subject : List.of(
                Bucket.class, Log.class, Sliding.class, Fixed.class, Leaky.class,
                ForgetBucket.class, ForgetLog.class, ForgetSliding.class, ForgetFixed.class)) {
            new ModelCheckingOptions()
                    .threads(2)
                    .actorsPerThread(3)
                    .actorsBefore(1)
                    .actorsAfter(1)
                    .iterations(ITERATIONS)
                    .invocationsPerIteration(INVOCATIONS)
                    .check(subject);
            System.out.printf("%-14s %d programs, up to %d interleavings each: every answer is one of some order%n",
                    subject.getSimpleName(), ITERATIONS, INVOCATIONS);
        }
    }
}
