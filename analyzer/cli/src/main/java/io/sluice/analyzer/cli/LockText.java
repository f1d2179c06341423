package io.sluice.analyzer.cli;

import io.sluice.analyzer.output.RecordJson;
import io.sluice.analyzer.output.Table;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Locks as a table for people, as JSON for programs. */
final class LockText {
    private LockText() {}

    static void table(List<HeldLock> held, List<String> warnings, long now, PrintWriter out) {
        warnings.forEach(warning -> out.println("! " + warning));
        if (held.isEmpty()) {
            out.println("no gate is locked");
            return;
        }
        Table table = new Table(List.of("POLICY", "SUBJECT", "MODE", "LEFT", "HELD", "BY", "WHY"));
        for (HeldLock lock : held) {
            table.row(List.of(
                    lock.policy(),
                    String.join(" ", lock.subject()),
                    lock.mode(),
                    lock.left(now),
                    Spans.text(now - lock.since()),
                    lock.by(),
                    lock.why()));
        }
        table.print(out);
    }

    static String json(HeldLock lock, long now, boolean enforcing) {
        return RecordJson.line(new Json(
                lock.policy(),
                lock.subject(),
                lock.mode(),
                lock.since(),
                lock.ends() == Long.MAX_VALUE ? null : lock.ends() - now,
                lock.by(),
                lock.why(),
                enforcing ? null : false));
    }

    private record Json(
            String policy,
            List<String> subject,
            String mode,
            long since,
            @Nullable Long leftMillis,
            String by,
            String why,
            @Nullable Boolean enforcing) {}
}
