package io.sluice.analyzer.cli;

import io.sluice.contract.json.PrintableText;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Locks as they come and go, a line for each change. */
final class LockChanges {
    private Map<String, HeldLock> shown = Map.of();

    /** Returns what has changed since the last call. */
    void tell(List<HeldLock> held, long now, PrintWriter out) {
        Map<String, HeldLock> current = new LinkedHashMap<>();
        held.forEach(lock -> current.put(lock.policy() + lock.subject() + lock.by(), lock));
        current.forEach((key, lock) -> {
            if (!lock.equals(shown.get(key))) {
                String more = lock.mode() + ", " + lock.left(now) + " left: " + lock.why();
                line(what(lock, shown.containsKey(key)), lock, more, out);
            }
        });
        shown.forEach((key, lock) -> {
            if (!current.containsKey(key)) {
                line(lock.released() ? "over    " : "open    ", lock, "after " + Spans.text(now - lock.since()), out);
            }
        });
        shown = current;
    }

    private static String what(HeldLock lock, boolean known) {
        if (lock.released()) {
            return "released";
        }
        return known ? "renewed " : "locked  ";
    }

    private static void line(String what, HeldLock lock, String more, PrintWriter out) {
        out.println(
                PrintableText.of(what + "  " + lock.policy() + "  " + String.join(" ", lock.subject()) + "  " + more));
    }
}
