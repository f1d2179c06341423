package io.sluice.faults.history;

import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.event.RequestEventReader;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.lock.Evidence;
import io.sluice.contract.policy.PolicySet;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What must hold over a whole recorded history, whatever befell its processes. Each check returns the violations, in words. */
public final class Invariants {
    private final List<Entry> history;
    private final LockSpans locks;

    /** @param history in order of time, with what stands on the topics ({@link TopicHistory}) */
    public Invariants(List<Entry> history) {
        this.history = List.copyOf(history);
        this.locks = new LockSpans(history);
    }

    /** Locks and spans of this history. */
    public LockSpans locks() {
        return locks;
    }

    /**
     * No agent turns a caller away for longer than the lease of the newest lock, and a second.
     *
     * @param maxLeaseMillis the agents' own cap
     */
    public List<String> noLockOutlivesItsLease(long maxLeaseMillis, long slackMillis) {
        List<String> violations = new ArrayList<>();
        long end = history.isEmpty() ? 0 : history.get(history.size() - 1).at();
        for (LockSpans.Span span : locks.spans()) {
            long until = Math.min(span.until(), end);
            long lease = locks.leaseEnd(span.caller(), until, maxLeaseMillis);
            if (until > lease + slackMillis) {
                violations.add(span + " outlives its lease by " + (until - lease) + " ms");
            }
        }
        return violations;
    }

    /** No lock opens on an event at which the exact method did not call the subject over. */
    public List<String> noLockOfAnInnocent(PolicySet policies, long slackMillis) {
        LegalLocks legal = new LegalLocks(policies, stored());
        List<String> violations = new ArrayList<>();
        for (LockSpans.Decision decision : locks.decisions()) {
            Evidence evidence = decision.lock().evidence();
            if (decision.lock().enforced()
                    && evidence != null
                    && !legal.mayOpen(
                            decision.lock().policy(), decision.lock().subject(), evidence.crossed(), slackMillis)) {
                violations.add("the exact method allows no such lock: " + decision);
            }
        }
        return violations;
    }

    /** The request events that were stored, as they can be read. */
    public List<RequestEvent> stored() {
        List<RequestEvent> events = new ArrayList<>();
        for (Entry entry : history) {
            if (entry.is(Entry.Kind.PRODUCED)) {
                read(entry.what().getBytes(StandardCharsets.UTF_8)).ifPresent(events::add);
            }
        }
        return events;
    }

    private static Optional<RequestEvent> read(byte[] json) {
        try {
            return Optional.of(RequestEventReader.ours().read(json));
        } catch (MalformedRecord poison) {
            return Optional.empty();
        }
    }

    /** What each agent was given, less what it counted as dropped, stands on the topic: neither more nor less. */
    public List<String> storedIsLoggedLessDrops() {
        Map<String, Long> stored = new HashMap<>();
        stored().forEach(event -> stored.merge(String.valueOf(event.agent()), event.count(), Long::sum));
        List<String> violations = new ArrayList<>();
        books().forEach((agent, books) -> {
            long there = stored.getOrDefault(agent, 0L);
            if (books.logged() - books.drops() != there) {
                violations.add(agent + " stored " + there + ", its books say " + books);
            }
        });
        return violations;
    }

    /** No check failed and nothing was thrown into a host service. */
    public List<String> noFailures() {
        List<String> violations = new ArrayList<>();
        books().forEach((agent, books) -> {
            if (books.failures() > 0 || books.exceptions() > 0) {
                violations.add(agent + ": " + books);
            }
        });
        return violations;
    }

    /** The last books of each agent. */
    public Map<String, Books> books() {
        Map<String, Books> books = new HashMap<>();
        for (Entry entry : history) {
            if (entry.is(Entry.Kind.BOOKS)) {
                books.put(entry.who(), Books.parse(entry.what()));
            }
        }
        return books;
    }

    /** The last tables of all agents say the same. */
    public List<String> tablesAgree() {
        Map<String, String> tables = new HashMap<>();
        for (Entry entry : history) {
            if (entry.is(Entry.Kind.TABLE)) {
                tables.put(entry.who(), entry.what());
            }
        }
        return tables.values().stream().distinct().count() <= 1 ? List.of() : List.of("tables differ: " + tables);
    }

    /** Nothing that can be read as a request event is put aside. */
    public List<String> noGoodRecordIsPutAside() {
        List<String> violations = new ArrayList<>();
        for (Entry entry : history) {
            if (entry.is(Entry.Kind.DEAD_LETTER)) {
                read(HexFormat.of().parseHex(entry.what()))
                        .ifPresent(good -> violations.add("put aside for '" + entry.who() + "': " + good));
            }
        }
        return violations;
    }
}
