package io.sluice.analyzer.cli;

import io.sluice.analyzer.fleet.DecisionLog;
import io.sluice.analyzer.fleet.FleetState;
import io.sluice.contract.decision.LockTransition;
import io.sluice.contract.decision.OperatorAction;
import io.sluice.contract.decision.PolicySetChange;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.Evidence;
import io.sluice.contract.lock.GateKeys;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.operator.OperatorJson;
import io.sluice.contract.operator.OperatorRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * History of gates from the decision log. What ends by the passing of time alone has no record in the log: an
 * operator's lock or release at its end, and a lock whose analyzer is gone at the end of its lease. Those ends are added. Confined to one
 * thread.
 */
final class DecisionHistory {
    private final List<GateEvent> events = new ArrayList<>();
    private final Map<String, Open> byOperators = new HashMap<>();
    private final Map<String, Open> byAnalyzers = new HashMap<>();

    /** A gate that is closed, or held open by an operator. */
    private record Open(String policy, List<String> subject, String by, long since, long end) {}

    /** Entries oldest first. */
    DecisionHistory(List<DecisionLog.Entry> entries) {
        for (DecisionLog.Entry entry : entries) {
            if (entry.record() instanceof LockTransition transition) {
                transition(transition);
            } else if (entry.record() instanceof OperatorAction action) {
                operator(action.record(), entry.append());
            } else if (entry.record() instanceof PolicySetChange change) {
                String from = change.before().isEmpty() ? "" : " in place of " + change.before();
                String more = "revision " + change.revision() + from + ": " + change.reason();
                events.add(new GateEvent(entry.append(), GateEvent.What.APPLIED, "", List.of(), change.author(), more));
            }
        }
    }

    private void transition(LockTransition transition) {
        GateLock lock = transition.lock();
        String key = CompositeKey.text(GateKeys.of(lock));
        String left = transition.suppressed() == 0
                ? ""
                : "; " + Spans.grouped(transition.suppressed()) + " changes before this one were not recorded";
        switch (transition.event()) {
            case OPENED -> add(transition, GateEvent.What.LOCKED, described(lock) + left);
            case GUARDED -> add(transition, GateEvent.What.GUARDED, described(lock) + left);
            case ARMED -> add(transition, GateEvent.What.ARMED, described(lock) + left);
            case CHANGED -> add(transition, GateEvent.What.CHANGED, described(lock) + left);
            case RELEASED ->
                add(transition, GateEvent.What.RELEASED, held(transition) + because(transition.cause()) + left);
            case EXPIRED -> add(transition, GateEvent.What.EXPIRED, held(transition) + left);
            case UNKNOWN -> {
                // a newer version's
                return;
            }
        }
        boolean over = transition.event() == LockTransition.Event.RELEASED
                || transition.event() == LockTransition.Event.EXPIRED;
        if (over) {
            byAnalyzers.remove(key);
        } else {
            Open before = byAnalyzers.get(key);
            if (before != null && before.since != lock.since()) {
                // its analyzer died before it could record the end
                events.add(expiry(before, Math.min(before.end, lock.since())));
            }
            byAnalyzers.put(key, new Open(lock.policy(), lock.subject(), "analyzer", lock.since(), lock.until()));
        }
    }

    private void add(LockTransition transition, GateEvent.What what, String more) {
        GateLock lock = transition.lock();
        events.add(new GateEvent(transition.at(), what, lock.policy(), lock.subject(), "analyzer", more));
    }

    private static String held(LockTransition transition) {
        return "after " + Spans.text(transition.at() - transition.lock().since());
    }

    private static String because(LockTransition.@Nullable Cause cause) {
        return cause == null
                ? ""
                : switch (cause) {
                    case DEMAND -> ": demand fell";
                    case DEBT -> ": the debt is paid";
                    case POLICY -> ": the policy no longer locks it";
                    case PER -> ": the policy counts by other attributes";
                    case OPERATOR -> ": an operator released it";
                    case UNKNOWN -> "";
                };
    }

    private static String described(GateLock lock) {
        Evidence evidence = lock.evidence();
        String reports = lock.enforced() ? "" : lock.guarded() ? ", only reported (guard)" : ", only reported";
        return lock.mode().spelling()
                + (lock.rate() > 0 ? " " + Spans.number(lock.rate()) + "/s" : "")
                + (lock.level() > 1 ? ", repeat " + lock.level() : "")
                + reports
                + (evidence == null ? "" : ": " + EvidenceText.seen(evidence));
    }

    private void operator(OperatorRecord said, long append) {
        String key = CompositeKey.text(OperatorJson.key(said));
        Open before = byOperators.remove(key);
        if (before != null && before.end <= append) {
            events.add(expiry(before, before.end));
        }
        String span = said.ttlMillis() == 0 ? "" : " for " + Spans.text(said.ttlMillis());
        String reason = ": " + said.reason();
        if (said instanceof OperatorRecord.Lock lock) {
            String rate = lock.rate() > 0 ? " " + Spans.number(lock.rate()) + "/s" : "";
            String more = lock.mode().spelling() + rate + span + reason;
            hold(key, GateEvent.What.LOCKED, lock.policy(), lock.subject(), said, append, more);
        } else if (said instanceof OperatorRecord.Release release) {
            String more = "no new lock" + span + reason;
            hold(key, GateEvent.What.RELEASED, release.policy(), release.subject(), said, append, more);
        } else if (said instanceof OperatorRecord.Enforce enforce) {
            String agent = enforce.agent();
            String what =
                    "enforcement " + (enforce.enforce() ? "on" : "off") + (agent == null ? "" : " at agent " + agent);
            hold(key, GateEvent.What.SWITCHED, "", List.of(), said, append, what + span + reason);
        }
    }

    private void hold(
            String key,
            GateEvent.What what,
            String policy,
            List<String> subject,
            OperatorRecord said,
            long append,
            String more) {
        events.add(new GateEvent(append, what, policy, subject, said.author(), more));
        byOperators.put(key, new Open(policy, subject, said.author(), append, HeldLock.end(said, append)));
    }

    private static GateEvent expiry(Open gate, long at) {
        return new GateEvent(
                at, GateEvent.What.EXPIRED, gate.policy, gate.subject, gate.by, "after " + Spans.text(at - gate.since));
    }

    /**
     * All that is known, oldest first.
     *
     * @param now broker time: what has ended by then has expired
     * @param fleet what holds at that time
     */
    List<GateEvent> events(long now, FleetState fleet) {
        List<GateEvent> all = new ArrayList<>(events);
        byOperators.values().stream().filter(gate -> gate.end <= now).forEach(gate -> all.add(expiry(gate, gate.end)));
        byAnalyzers.values().forEach(gate -> lapsed(gate, now, fleet).ifPresent(all::add));
        all.sort(Comparator.comparingLong(GateEvent::at));
        return all;
    }

    /** The end of a lock that was neither renewed nor released: agents drop it when its lease ends. */
    private static Optional<GateEvent> lapsed(Open gate, long now, FleetState fleet) {
        long end = fleet.leaseEnd(gate.policy, gate.subject).orElse(gate.end);
        return end > now
                ? Optional.empty()
                : Optional.of(new GateEvent(
                        end,
                        GateEvent.What.EXPIRED,
                        gate.policy,
                        gate.subject,
                        gate.by,
                        "after " + Spans.text(end - gate.since) + ": its lease ended"));
    }
}
