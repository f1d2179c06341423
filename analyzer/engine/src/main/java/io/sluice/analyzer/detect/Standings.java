package io.sluice.analyzer.detect;

import io.sluice.analyzer.history.Baseline;
import io.sluice.analyzer.history.Debt;
import io.sluice.analyzer.load.Group;
import io.sluice.analyzer.load.LoadBook;
import io.sluice.analyzer.load.LoadSums;
import io.sluice.analyzer.window.Histories;
import io.sluice.analyzer.window.Panes;
import io.sluice.analyzer.window.WindowStore;
import io.sluice.contract.policy.Condition;
import io.sluice.contract.policy.LockRule;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.usage.Load;
import io.sluice.contract.usage.UsageKey;
import java.util.List;
import java.util.stream.Stream;

/**
 * Reads how a subject stands against its lock rule, from what its task has stored. It touches nothing that is in heap, so it can be used beside the thread
 * that writes. Thread-safe if the store is.
 */
public final class Standings {
    private final WindowStore store;
    private final LoadBook loads;

    /** @param store of the subject's task */
    public Standings(WindowStore store, LoadBook loads) {
        this.store = store;
        this.loads = loads;
    }

    /**
     * Returns an entry for each condition of the rule, any of which is sufficient: the parts of the condition, all of which have to hold. Empty
     * where the policy has no rule for the subject.
     *
     * @param panes the subject's window
     * @param time of the window's end, epoch milliseconds
     */
    public List<List<Standing>> of(Policy policy, List<String> subject, Panes panes, long time) {
        LockRule rule = policy.lockFor(subject);
        if (rule == null) {
            return List.of();
        }
        UsageKey key = new UsageKey(policy.revision(), subject);
        if (rule.debt()) {
            return List.of(List.of(debt(new DebtDetector(rule, policy), key, time)));
        }
        return rule.when().stream()
                .map(condition -> parts(condition)
                        .map(part -> standing(part, policy, key, panes, time))
                        .toList())
                .toList();
    }

    private static Stream<Condition> parts(Condition condition) {
        return condition instanceof Condition.All all
                ? all.conditions().stream().flatMap(Standings::parts)
                : Stream.of(condition);
    }

    private Standing standing(Condition part, Policy policy, UsageKey key, Panes panes, long time) {
        double sum = panes.sum() / (double) policy.measure().scale();
        if (part instanceof Condition.Spike spike) {
            return spike(spike, policy, key, sum, time);
        }
        if (part instanceof Condition.Share share) {
            return share(share, policy, key, panes);
        }
        double threshold = ((Condition.Above) part).threshold();
        return new Standing(Threshold.ABOVE, threshold, sum, threshold, null, null, sum > threshold);
    }

    private Standing spike(Condition.Spike condition, Policy policy, UsageKey key, double sum, long time) {
        Spike spike = new Spike(condition, policy);
        Baseline baseline =
                Histories.stored(store, DetectorState.USUAL, Baseline::decode, DetectorState.key(spike, key), time);
        if (baseline == null) {
            return Standing.unknown(Threshold.SPIKE, condition.factor());
        }
        baseline.pass(spike.span, time);
        if (!baseline.known(spike.span)) {
            return Standing.unknown(Threshold.SPIKE, condition.factor());
        }
        double scale = policy.measure().scale();
        double usual = baseline.usual(spike.span, 0);
        double most = spike.most(usual, scale);
        return new Standing(
                Threshold.SPIKE,
                condition.factor(),
                sum * scale / spike.least(usual, scale),
                most / scale,
                usual / scale,
                null,
                sum * scale > most);
    }

    private Standing share(Condition.Share condition, Policy policy, UsageKey key, Panes panes) {
        Load load = loads.load(Group.of(policy, condition.of()).of(key.subject()));
        if (load == null) {
            return Standing.unknown(Threshold.SHARE, condition.share());
        }
        double scale = policy.measure().scale();
        long lastPane = panes.firstPane() + panes.admitted().length - 1;
        // both are as of their last commit, so a subject can be ahead of the load
        double total = Math.max(panes.sum(), LoadSums.admitted(load, panes.firstPane(), lastPane)) / scale;
        double sum = panes.sum() / scale;
        return new Standing(
                Threshold.SHARE,
                condition.share(),
                total == 0 ? 0 : sum / total,
                condition.share() * Math.max(total, condition.beyond()),
                null,
                total,
                total > condition.beyond() && total - sum >= condition.others() && sum > condition.share() * total);
    }

    private Standing debt(DebtDetector owing, UsageKey key, long time) {
        Debt debt = Histories.stored(store, DetectorState.DEBTS, Debt::decode, key, time);
        double level = debt == null ? 0 : debt.level(owing.drain, time);
        return new Standing(
                Threshold.DEBT, owing.threshold, level, owing.threshold, null, null, level > owing.threshold);
    }
}
