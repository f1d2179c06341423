package io.sluice.analyzer.recount;

import io.sluice.contract.lock.Evidence;
import io.sluice.contract.policy.Attribute;
import io.sluice.contract.policy.Condition;
import io.sluice.contract.policy.LockRule;
import io.sluice.contract.policy.Measure;
import io.sluice.contract.policy.Policy;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the exact method is to be asked: the evidence's own threshold, under what the policy counts. A baseline reaches too far
 * back to be taken again, so it is believed.
 *
 * @param conditions those to ask, of which one has to hold: a policy may have several shares of the evidence's size, and the evidence does not name one
 * @param debt whether it is asked of a debt
 * @param backMillis how far back before the crossing requests matter
 * @param believed what of the evidence is not asked
 * @param unit what the exact method's observation is divided by to be in the evidence's unit
 */
record Question(List<Condition> conditions, boolean debt, long backMillis, Verdict.Believed believed, double unit) {

    /** @param rule the one that holds for the subject today */
    static Question of(Policy policy, LockRule rule, Evidence evidence) throws NotRecountable {
        long window = policy.window().millis();
        return switch (evidence.detector()) {
            case "above" -> above(evidence.threshold(), window, Verdict.Believed.NOTHING, 1);
            case "share" -> share(rule, evidence, window);
            case "spike" -> spike(evidence, window);
            case "debt" -> debt(rule, evidence);
            default -> throw new NotRecountable("this version knows no detector of that name: can't be recounted");
        };
    }

    private static Question debt(LockRule rule, Evidence evidence) throws NotRecountable {
        if (!rule.debt()) {
            throw new NotRecountable("the policy no longer counts a debt: can't be recounted");
        }
        Condition.Above above = new Condition.Above(evidence.threshold());
        return new Question(List.of(above), true, rule.debtUpToMillis(), Verdict.Believed.NOTHING, 1);
    }

    private static Question spike(Evidence evidence, long backMillis) throws NotRecountable {
        if (evidence.observed() == 0 || evidence.sum() == 0) {
            throw new NotRecountable("the evidence has no baseline: can't be recounted");
        }
        double usual = evidence.sum() / evidence.observed();
        return above(evidence.threshold() * usual, backMillis, Verdict.Believed.BASELINE, usual);
    }

    private static Question above(double threshold, long backMillis, Verdict.Believed believed, double unit) {
        return new Question(List.of(new Condition.Above(threshold)), false, backMillis, believed, unit);
    }

    private static Question share(LockRule rule, Evidence evidence, long backMillis) throws NotRecountable {
        List<Condition.Share> shares = parts(rule.when())
                .filter(Condition.Share.class::isInstance)
                .map(Condition.Share.class::cast)
                .filter(condition -> condition.share() == evidence.threshold())
                .toList();
        if (shares.isEmpty()) {
            throw new NotRecountable("the policy no longer has that share: can't be recounted");
        }
        boolean slowness = shares.stream().anyMatch(share -> share.whenOthersSlow() > 0);
        List<Condition> alone = shares.stream()
                .<Condition>map(
                        share -> new Condition.Share(share.share(), share.of(), share.beyond(), share.others(), 0))
                .toList();
        Verdict.Believed believed = slowness ? Verdict.Believed.SLOWNESS : Verdict.Believed.NOTHING;
        return new Question(alone, false, backMillis, believed, 1);
    }

    private static Stream<Condition> parts(List<Condition> conditions) {
        return conditions.stream()
                .flatMap(it -> it instanceof Condition.All all ? parts(all.conditions()) : Stream.of(it));
    }

    /** Returns whether shares are asked for. */
    boolean ofShares() {
        return conditions.get(0) instanceof Condition.Share;
    }

    /** Returns the attributes of a subject that all requests of the groups that are asked for have in common; all of them without a share. */
    List<Attribute> group(List<Attribute> per) {
        return per.stream()
                .filter(attribute -> conditions.stream()
                        .allMatch(it -> !(it instanceof Condition.Share share)
                                || share.of().contains(attribute)))
                .toList();
    }

    /** The policy, with this one question in the place of all its conditions. */
    Policy asking(Policy policy, LockRule rule) {
        LockRule asked = new LockRule(
                conditions,
                rule.mode(),
                rule.rate(),
                rule.shadow(),
                rule.forMillis(),
                debt,
                rule.debtUpToMillis(),
                rule.release(),
                null,
                rule.closes(),
                rule.onDegraded());
        return new Policy(
                policy.name(),
                policy.match(),
                policy.per(),
                policy.measure(),
                policy.window(),
                asked,
                null,
                List.of(),
                policy.revision());
    }

    /** Returns whether the analyzer asks it of whole panes, so that it may hold a little earlier by the exact method. */
    boolean ofPanes() {
        return debt || ofShares();
    }

    /** How much of a sum is no excess: estimates of different values have a standard error of 1.2 %, and this is four of it. */
    static double tolerance(Measure measure, double sum) {
        return measure instanceof Measure.Distinct ? sum * 0.05 : 0;
    }
}
