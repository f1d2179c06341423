package io.sluice.agent.internal.gate;

import io.sluice.agent.internal.quota.StrategyClient;
import io.sluice.agent.quota.QuotaAnswer;
import io.sluice.agent.quota.QuotaCharge;
import io.sluice.agent.verdict.Permit;
import io.sluice.agent.verdict.Verdict;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The charges of one request to one store: it takes all or none. Confined to one thread at a time. */
final class CentralGroup {
    private final StrategyClient client;
    private final List<GatePolicy> policies = new ArrayList<>();
    private final List<Limit> limits = new ArrayList<>();
    private final List<QuotaCharge> charges = new ArrayList<>();
    private final BitSet indexes = new BitSet();
    private @Nullable CompletableFuture<QuotaAnswer> answer;

    CentralGroup(StrategyClient client) {
        this.client = client;
    }

    StrategyClient client() {
        return client;
    }

    List<QuotaCharge> charges() {
        return charges;
    }

    /** Returns the charge of a policy. */
    QuotaCharge charge(GatePolicy policy) {
        return charges.get(policies.indexOf(policy));
    }

    boolean ofCost(GatePolicy policy) {
        return limits.get(policies.indexOf(policy)).ofCost();
    }

    /** Returns the indexes of its policies. */
    BitSet indexes() {
        return indexes;
    }

    void add(int index, GatePolicy policy, Limit limit, QuotaCharge charge) {
        indexes.set(index);
        policies.add(policy);
        limits.add(limit);
        charges.add(charge);
    }

    CompletableFuture<QuotaAnswer> ask() {
        CompletableFuture<QuotaAnswer> asked = client.ask(charges);
        answer = asked;
        return asked;
    }

    /** Returns the answer, {@code null} when there is none in time. */
    @Nullable
    QuotaAnswer answer() {
        CompletableFuture<QuotaAnswer> asked = answer;
        return asked == null || !asked.isDone() || asked.isCompletedExceptionally() ? null : asked.join();
    }

    private int decisive(QuotaAnswer given) {
        return Math.min(Math.max(0, given.charge()), charges.size() - 1);
    }

    /** Returns the rejection of a refused group. */
    Verdict.Rejected reject(QuotaAnswer given) {
        int index = decisive(given);
        Limit limit = limits.get(index);
        boolean never = given.retryAfterNanos() == QuotaAnswer.NEVER
                && charges.get(index).permits() > 1;
        return policies.get(index)
                .countRejected(
                        never
                                ? limit.rejectExcess(charges.get(index).permits())
                                : limit.reject(Math.max(1, given.retryAfterNanos())));
    }

    /** Counts a refusal of limits that only report. */
    void countWouldReject() {
        policies.get(0).counts().wouldReject.increment();
    }

    /** Adds a granted group to a verdict: the tighter quota, and the reservation of what may cost less. */
    Verdict.Allowed granted(QuotaAnswer given, Verdict.Allowed soFar) {
        Limit limit = limits.get(decisive(given));
        long remaining = Math.min(Math.max(0, given.remaining()), limit.terms().maxPermits());
        boolean looser = soFar.quota() != null && limit.isLooser(remaining, soFar.quota());
        Verdict.Allowed tighter = looser ? soFar : limit.allow(remaining);
        return reserved(new Verdict.Allowed(tighter.quota(), soFar.delayNanos(), soFar.permit()));
    }

    /** Adds the reservation of what may cost less or more. */
    Verdict.Allowed reserved(Verdict.Allowed soFar) {
        List<QuotaCharge> ofCost = new ArrayList<>();
        for (int i = 0; i < limits.size(); i++) {
            if (limits.get(i).ofCost()) {
                ofCost.add(charges.get(i));
            }
        }
        CompletableFuture<QuotaAnswer> asked = answer;
        if (asked == null || ofCost.isEmpty()) {
            return soFar;
        }
        Permit reservation = new CentralReservation(client, ofCost, asked, soFar.permit());
        return new Verdict.Allowed(soFar.quota(), soFar.delayNanos(), reservation);
    }

    /** Returns the permits, once they are granted. */
    @SuppressWarnings("FutureReturnValueIgnored") // the callback handles the result
    void refund() {
        CompletableFuture<QuotaAnswer> asked = answer;
        if (asked != null) {
            asked.thenAccept(given -> {
                if (given.granted()) {
                    client.refund(charges);
                }
            });
        }
    }
}
