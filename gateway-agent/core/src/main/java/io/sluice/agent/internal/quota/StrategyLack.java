package io.sluice.agent.internal.quota;

import io.sluice.contract.policy.LimitRule.Algorithm;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What keeps limits from their store.
 *
 * @param strategy the name that they use
 * @param algorithm that the store cannot apply; {@code null} if the agent does not have the strategy
 */
record StrategyLack(String strategy, @Nullable Algorithm algorithm) {

    /** Returns the lack of a limit, {@code null} if its store applies it. */
    static @Nullable StrategyLack of(Algorithm algorithm, String strategy, @Nullable StrategyClient client) {
        if (client == null) {
            return new StrategyLack(strategy, null);
        }
        return client.applies(algorithm) ? null : new StrategyLack(strategy, algorithm);
    }

    /** Returns the strategy, with the algorithm as policies spell it if that is what is lacking. */
    String name() {
        return algorithm == null
                ? strategy
                : strategy + " for " + algorithm.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    String reason() {
        return "policies name the strategy " + name() + ", which "
                + (algorithm == null ? "this agent does not have; it" : "its store cannot apply; this agent")
                + " applies its share";
    }
}
