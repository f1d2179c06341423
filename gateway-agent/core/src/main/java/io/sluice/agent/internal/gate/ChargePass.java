package io.sluice.agent.internal.gate;

import io.sluice.agent.verdict.Verdict;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * A pass of a request through the limiters while central stores take part: the first charges the agent's own limits and the shares of stores that are
 * known to fail; a second one charges the shares of stores that did not answer. Records what is charged, so that it can be undone after a store's
 * answer. Confined to one thread at a time.
 */
final class ChargePass {
    private final List<Runnable> refunds = new ArrayList<>();
    private final List<Integer> taken = new ArrayList<>();
    private final List<Integer> refused = new ArrayList<>();
    private BitSet shares;
    private boolean sharesOnly;
    private Verdict.Allowed base = Verdict.Allowed.FREELY;

    /** @param shares the policies whose limits of a store are replaced by shares */
    ChargePass(BitSet shares) {
        this.shares = shares;
    }

    /** Begins the second pass. */
    void second(BitSet late, Verdict.Allowed soFar) {
        shares = late;
        sharesOnly = true;
        base = soFar;
    }

    boolean sharesOnly() {
        return sharesOnly;
    }

    /** Returns the verdict that the pass adds to. */
    Verdict.Allowed base() {
        return base;
    }

    boolean skips(int index, Limit limit) {
        return limit.central() == null ? sharesOnly : !shares.get(index);
    }

    void charged(Runnable refund) {
        refunds.add(refund);
    }

    void decidedByShare(int index, Limit limit, boolean granted) {
        if (limit.central() != null) {
            (granted ? taken : refused).add(index);
        }
    }

    /** Returns the policies whose shares were charged. */
    List<Integer> shares() {
        return taken;
    }

    /** Returns the policies that only report, and whose shares had too few permits. */
    List<Integer> refusedShares() {
        return refused;
    }

    /** Refunds all charges. */
    void undo() {
        refunds.forEach(Runnable::run);
        refunds.clear();
        taken.clear();
        refused.clear();
    }
}
