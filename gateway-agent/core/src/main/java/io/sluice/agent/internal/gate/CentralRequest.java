package io.sluice.agent.internal.gate;

import io.sluice.agent.internal.quota.StrategyClient;
import io.sluice.agent.internal.quota.StrategyClients;
import io.sluice.agent.quota.QuotaAnswer;
import io.sluice.agent.quota.QuotaCharge;
import io.sluice.agent.quota.QuotaLimit;
import io.sluice.agent.verdict.Permit;
import io.sluice.agent.verdict.Verdict;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.event.RequestAttributes;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One request under limits of central stores: the agent's own limits first, then all stores at once, then the shares of those that did not answer. If
 * any refuses, everything charged is returned. Confined to one thread at a time.
 */
final class CentralRequest {
    private final LimitCharger charger;
    private final CompiledPolicies rules;
    private final Freshness freshness;
    private final RequestAttributes request;
    private final long cost;
    private final int agents;
    private final Map<StrategyClient, CentralGroup> asked = new LinkedHashMap<>();
    private final Map<StrategyClient, CentralGroup> failing = new LinkedHashMap<>();
    private final List<CentralGroup> reporting = new ArrayList<>();
    private final Map<Integer, CentralGroup> byIndex = new HashMap<>();
    private final BitSet shares = new BitSet();
    private final ChargePass pass = new ChargePass(shares);
    private final long waitNanos;
    private Verdict.Allowed local = Verdict.Allowed.FREELY;
    private long begun;

    CentralRequest(
            LimitCharger charger,
            StrategyClients clients,
            CompiledPolicies rules,
            Freshness freshness,
            RequestAttributes request,
            long cost,
            int agents) {
        this.charger = charger;
        this.rules = rules;
        this.freshness = freshness;
        this.request = request;
        this.cost = cost;
        this.agents = agents;
        waitNanos = clients.waitNanos();
        for (int i = 0; i < rules.policies().size(); i++) {
            add(i, clients);
        }
    }

    private void add(int index, StrategyClients clients) {
        GatePolicy policy = rules.policies().get(index);
        Limit limit = policy.limitFor(request);
        QuotaLimit quota = limit == null ? null : limit.central();
        String strategy = limit == null ? null : limit.strategy();
        String subject = quota == null ? null : policy.table().subjectText(request);
        if (limit == null || quota == null || strategy == null || subject == null) {
            return;
        }
        StrategyClient client = clients.get(strategy);
        if (client == null || !client.applies(quota.algorithm())) {
            clients.met(strategy, quota.algorithm());
            shares.set(index);
            return;
        }
        String route = rules.top(policy).table().subjectText(request);
        QuotaCharge charge =
                new QuotaCharge(quota, subject, route == null ? subject : route, limit.ofCost() ? cost : 1);
        boolean available = client.available();
        boolean reports = limit.shadow() || !rules.set().enforce();
        CentralGroup group;
        if (!available) {
            shares.set(index);
            group = failing.computeIfAbsent(client, CentralGroup::new);
        } else if (reports) {
            group = new CentralGroup(client);
            reporting.add(group);
        } else {
            group = asked.computeIfAbsent(client, CentralGroup::new);
        }
        group.add(index, policy, limit, charge);
        byIndex.put(index, group);
    }

    /** Charges the agent's own limits, and the shares of failing stores. Returns a rejection, or {@code null} to go on with {@link #ask}. */
    Verdict.@Nullable Rejected begin(@Nullable SubjectEntry home, int arrivals, long now) {
        begun = now;
        Verdict verdict = charger.charge(rules, home, arrivals, freshness, request, cost, now, pass);
        if (verdict instanceof Verdict.Allowed allowed) {
            local = allowed;
        }
        failing.forEach((client, group) -> client.degraded(group.charges()));
        return verdict instanceof Verdict.Rejected rejected ? rejected : null;
    }

    /** Asks all stores. */
    @SuppressWarnings("FutureReturnValueIgnored") // what only reports is not waited for
    List<CompletableFuture<QuotaAnswer>> ask() {
        for (CentralGroup group : reporting) {
            CompletableFuture<QuotaAnswer> asked = group.ask();
            asked.thenAccept(answer -> {
                if (!answer.granted()) {
                    group.countWouldReject();
                }
            });
            if (!asked.isDone()) {
                asked.orTimeout(waitNanos, TimeUnit.NANOSECONDS);
            }
        }
        List<CompletableFuture<QuotaAnswer>> answers = new ArrayList<>();
        asked.values().forEach(group -> answers.add(group.ask()));
        return answers;
    }

    /** Returns the agent's own permits of a request that gets no verdict: they could never be returned later. */
    void undo() {
        pass.undo();
    }

    /** Returns the verdict, after all answers have been completed in one way or another. */
    Verdict finish(long now) {
        Verdict.Allowed result = waited(now);
        Verdict.Rejected rejected = null;
        List<CentralGroup> granted = new ArrayList<>();
        BitSet late = new BitSet();
        for (CentralGroup group : asked.values()) {
            QuotaAnswer answer = group.answer();
            if (answer == null) {
                late.or(group.indexes());
                group.client().degraded(group.charges());
            } else if (answer.granted()) {
                granted.add(group);
                result = group.granted(answer, result);
            } else if (rejected == null) {
                rejected = group.reject(answer);
            }
        }
        if (rejected == null && !late.isEmpty()) {
            pass.second(late, result);
            Verdict verdict = charger.charge(rules, null, 0, freshness, request, cost, now, pass);
            if (verdict instanceof Verdict.Allowed allowed) {
                result = allowed;
            } else if (verdict instanceof Verdict.Rejected byShare) {
                rejected = byShare;
            }
        }
        if (rejected != null) {
            pass.undo();
            granted.forEach(CentralGroup::refund);
            reporting.forEach(CentralGroup::refund);
            return rejected;
        }
        for (CentralGroup group : reporting) {
            result = group.reserved(result);
        }
        for (int index : pass.shares()) {
            result = record(index, true, result);
        }
        for (int index : pass.refusedShares()) {
            result = record(index, false, result);
        }
        return result;
    }

    /** Returns the verdict of the agent's own limits, whose permits are as old as the wait for the stores. */
    private Verdict.Allowed waited(long now) {
        Permit permit = local.permit();
        return permit == null || now <= begun
                ? local
                : new Verdict.Allowed(local.quota(), local.delayNanos(), new WaitedPermit(permit, now - begun));
    }

    /** Records what a share granted, and the cost that is not known yet. */
    private Verdict.Allowed record(int index, boolean granted, Verdict.Allowed soFar) {
        CentralGroup group = byIndex.get(index);
        if (group == null) {
            return soFar;
        }
        GatePolicy policy = rules.policies().get(index);
        QuotaCharge charge = group.charge(policy);
        if (group.ofCost(policy)) {
            QuotaCharge reserved = granted ? charge : charge.with(0);
            Permit permit = new ShareReservation(group.client(), reserved, agents, soFar.permit());
            return new Verdict.Allowed(soFar.quota(), soFar.delayNanos(), permit);
        }
        if (granted) {
            group.client().grantedLocally(charge, agents);
        }
        return soFar;
    }
}
