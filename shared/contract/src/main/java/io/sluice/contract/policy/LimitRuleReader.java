package io.sluice.contract.policy;

import io.sluice.contract.policy.LimitRule.Adaptive;
import io.sluice.contract.policy.LimitRule.Algorithm;
import io.sluice.contract.policy.LimitRule.Scope;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads {@code limit}. */
final class LimitRuleReader {
    private static final List<String> COMMON = List.of("algorithm", "scope", "shadow", "onDegraded");
    private static final List<String> CENTRAL = List.of("strategy", "under");
    private static final List<String> ALL = List.of(
            "algorithm",
            "rate",
            "burst",
            "maxWait",
            "max",
            "adaptive",
            "warmUp",
            "scope",
            "strategy",
            "under",
            "shadow",
            "onDegraded");
    // one permit per nanosecond is the finest that a limiter can distinguish
    private static final double MOST_PER_SECOND = 1e9;
    private static final int MOST_IN_FLIGHT = 1_000_000;
    private static final long DAY = 86_400_000;
    private static final String NAME = "[a-z0-9-]{1,64}";

    private final Fields limit;
    private final @Nullable Measure measure;

    /** @param measure what the policy counts; {@code null} if that could not be read */
    LimitRuleReader(Fields limit, @Nullable Measure measure) {
        this.limit = limit;
        this.measure = measure;
    }

    LimitRule read() {
        limit.allow(ALL);
        Algorithm algorithm = limit.choice("algorithm", Algorithm.TOKEN_BUCKET, List.of(Algorithm.values()));
        boolean known =
                !limit.has("algorithm") || Fields.spelling(algorithm).equals(limit.scalar("algorithm", "", it -> it));
        if (known) {
            checkFields(algorithm);
        }
        boolean concurrency = algorithm == Algorithm.CONCURRENCY;
        Quantities.Rate rate = concurrency || !known ? new Quantities.Rate(1, 1000) : rate(algorithm);
        Scope scope = limit.choice("scope", Scope.AGENT, List.of(Scope.values()));
        return new LimitRule(
                algorithm,
                concurrency ? 0 : rate.permits(),
                concurrency ? 0 : rate.perMillis(),
                algorithm == Algorithm.TOKEN_BUCKET ? burst(rate) : 0,
                limit.duration("maxWait", 0, 0, 60_000),
                (int) limit.whole("max", 0, 1, MOST_IN_FLIGHT),
                adaptive(),
                scope,
                limit.truth("shadow", false),
                limit.choice("onDegraded", OnDegraded.LOCAL, List.of(OnDegraded.values())),
                strategy(scope),
                under(),
                warmUp(rate));
    }

    /** The fields that an algorithm reads; a field that it would ignore is a mistake. */
    static List<String> keysOf(Algorithm algorithm) {
        List<String> keys = new ArrayList<>(COMMON);
        keys.addAll(
                switch (algorithm) {
                    case TOKEN_BUCKET -> List.of("rate", "burst", "warmUp");
                    case LEAKY_BUCKET -> List.of("rate", "maxWait");
                    case SLIDING_LOG, SLIDING_WINDOW, FIXED_WINDOW -> List.of("rate");
                    case CONCURRENCY -> List.of("max", "adaptive");
                });
        if (algorithm != Algorithm.CONCURRENCY && algorithm != Algorithm.LEAKY_BUCKET) {
            keys.addAll(CENTRAL);
        }
        return keys;
    }

    private void checkFields(Algorithm algorithm) {
        List<String> keys = keysOf(algorithm);
        for (String key : ALL) {
            if (limit.has(key) && !keys.contains(key)) {
                limit.wrong(key, "not for " + Fields.spelling(algorithm) + ", which reads: " + String.join(", ", keys));
            }
        }
        if (algorithm == Algorithm.CONCURRENCY && limit.has("max") == limit.has("adaptive")) {
            limit.wrong("concurrency needs either max or adaptive: { min, max }");
        }
    }

    private Quantities.Rate rate(Algorithm algorithm) {
        boolean windowed = algorithm != Algorithm.TOKEN_BUCKET && algorithm != Algorithm.LEAKY_BUCKET;
        Quantities.Rate absent = new Quantities.Rate(1, 1000);
        return limit.required("rate", absent, "allowed: a rate such as 50/s, 10/m or 100/10s", text -> {
            Quantities.Rate rate = Quantities.rate(text);
            if (rate.perSecond() > MOST_PER_SECOND || rate.perMillis() > DAY) {
                throw new IllegalArgumentException("allowed: at most 1e9 a second, over at most a day");
            }
            if (windowed && (rate.permits() != Math.rint(rate.permits()) || rate.permits() > Integer.MAX_VALUE)) {
                throw new IllegalArgumentException("allowed: a whole number of requests in a window, such as 100/10s");
            }
            return rate;
        });
    }

    private long burst(Quantities.Rate rate) {
        long second = Math.max(1, (long) Math.ceil(rate.perSecond()));
        return limit.whole("burst", second, 1, 1_000_000_000);
    }

    private @Nullable String under() {
        String name = limit.scalar("under", "", text -> named(text, "the name of another policy with a limit"));
        return name.isEmpty() ? null : name;
    }

    private @Nullable String strategy(Scope scope) {
        String name = limit.scalar(
                "strategy",
                "",
                text -> named(text, "the name of a strategy: 1 to 64 of a-z, 0-9 and -, such as redis"));
        if (name.isEmpty()) {
            return null;
        }
        if (scope != Scope.FLEET) {
            limit.wrong("strategy", "allowed with scope: fleet only");
        }
        return name;
    }

    private static String named(String text, String allowed) {
        if (text.matches(NAME)) {
            return text;
        }
        throw new IllegalArgumentException("allowed: " + allowed);
    }

    private long warmUp(Quantities.Rate rate) {
        long millis = limit.duration("warmUp", 0, 100, DAY);
        if (millis > 0 && limit.has("strategy")) {
            limit.wrong("warmUp", "not with a strategy: each agent warms up by itself");
        } else if (millis > 0 && measure == Measure.COST) {
            limit.wrong("warmUp", "not with measure: cost; allowed: a limit that counts requests");
        } else if (millis > 0 && millis * rate.permits() < 2.0 * rate.perMillis()) {
            limit.wrong("warmUp", "allowed: at least the time of two permits at this rate");
        }
        return millis;
    }

    private @Nullable Adaptive adaptive() {
        Fields adaptive = limit.fields("adaptive");
        if (adaptive == null) {
            return null;
        }
        adaptive.allow(List.of("min", "max"));
        int min = (int) adaptive.whole("min", 1, 1, MOST_IN_FLIGHT);
        int max = (int) adaptive.whole("max", 0, 1, MOST_IN_FLIGHT);
        if (!adaptive.has("max")) {
            adaptive.wrong("max is missing; allowed: { min: 4, max: 256 }");
        } else if (max > 0 && min > max) {
            adaptive.wrong("min", "allowed: at most max, " + max);
        }
        return new Adaptive(min, max);
    }
}
