package io.sluice.agent.internal.gate;

import io.sluice.agent.internal.quota.StrategyClient;
import io.sluice.agent.internal.quota.StrategyClients;
import io.sluice.agent.quota.QuotaAnswer;
import io.sluice.agent.quota.QuotaCharge;
import io.sluice.agent.quota.QuotaLimit;
import io.sluice.agent.verdict.Verdict;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.event.RequestAttributes;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Charges requests where a policy names a central store: waits for its answer, up to a bound, or answers later. Thread-safe. */
final class CentralCharger {
    private final DecisionState decisions;
    private final LimitCharger charger;
    private final StrategyClients clients;
    private final LongSupplier ticks;

    CentralCharger(DecisionState decisions, LimitCharger charger, StrategyClients clients, LongSupplier ticks) {
        this.decisions = decisions;
        this.charger = charger;
        this.clients = clients;
        this.ticks = ticks;
    }

    private CentralRequest begin(CompiledPolicies rules, Freshness freshness, RequestAttributes request, long cost) {
        return new CentralRequest(charger, clients, rules, freshness, request, cost, decisions.liveAgents());
    }

    /** Returns the verdict, after waiting for the stores. */
    Verdict check(
            CompiledPolicies rules,
            @Nullable SubjectEntry home,
            int arrivals,
            Freshness freshness,
            RequestAttributes request,
            long cost,
            long now) {
        CentralRequest central = begin(rules, freshness, request, cost);
        try {
            Verdict.Rejected rejected = central.begin(home, arrivals, now);
            if (rejected != null) {
                return rejected;
            }
            List<CompletableFuture<QuotaAnswer>> answers = central.ask();
            if (!answers.isEmpty()) {
                await(answers, ticks.getAsLong() + clients.waitNanos());
            }
            return central.finish(ticks.getAsLong());
        } catch (RuntimeException | Error e) {
            central.undo();
            throw e;
        }
    }

    private void await(List<CompletableFuture<QuotaAnswer>> answers, long deadline) {
        for (CompletableFuture<QuotaAnswer> answer : answers) {
            try {
                answer.get(Math.max(0, deadline - ticks.getAsLong()), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                answer.completeExceptionally(e);
            } catch (InterruptedException e) {
                // says nothing of the store
                answer.completeExceptionally(new CancellationException());
                Thread.currentThread().interrupt();
            } catch (ExecutionException | CancellationException e) {
                // counted by the client; the share decides
            }
        }
    }

    /** Returns the verdict later, on a thread of the store's client, and never blocks. */
    CompletionStage<Verdict> checkAsync(
            CompiledPolicies rules,
            @Nullable SubjectEntry home,
            int arrivals,
            Freshness freshness,
            RequestAttributes request,
            long cost,
            long now) {
        CentralRequest central = begin(rules, freshness, request, cost);
        try {
            Verdict.Rejected rejected = central.begin(home, arrivals, now);
            if (rejected != null) {
                return CompletableFuture.completedFuture(rejected);
            }
            CompletableFuture<?>[] answers = central.ask().toArray(new CompletableFuture<?>[0]);
            for (CompletableFuture<?> answer : answers) {
                if (!answer.isDone()) {
                    answer.orTimeout(clients.waitNanos(), TimeUnit.NANOSECONDS);
                }
            }
            return CompletableFuture.allOf(answers).handle((nothing, error) -> finish(central));
        } catch (RuntimeException | Error e) {
            central.undo();
            throw e;
        }
    }

    private Verdict finish(CentralRequest central) {
        try {
            return central.finish(ticks.getAsLong());
        } catch (RuntimeException | Error e) {
            central.undo();
            throw e;
        }
    }

    /** Charges a cost that has been used already to the store of a limit, or records it while the store is away. */
    void chargeUsed(GatePolicy policy, Limit share, RequestAttributes request, CompiledPolicies rules, long cost) {
        QuotaLimit quota = share.central();
        String strategy = share.strategy();
        String subject = policy.table().subjectText(request);
        StrategyClient client = strategy == null ? null : clients.get(strategy);
        if (quota == null || subject == null) {
            return;
        }
        if (client == null || !client.applies(quota.algorithm()) || !client.available()) {
            policy.table().charge(request, share, cost, ticks.getAsLong(), ticks);
        }
        if (client != null && client.applies(quota.algorithm())) {
            String route = rules.top(policy).table().subjectText(request);
            client.adjust(new QuotaCharge(quota, subject, route == null ? subject : route, cost));
        }
    }
}
