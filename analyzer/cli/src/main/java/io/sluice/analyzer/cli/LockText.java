package io.sluice.analyzer.cli;

import io.sluice.analyzer.fleet.Appended;
import io.sluice.analyzer.fleet.FleetState;
import io.sluice.analyzer.output.RecordJson;
import io.sluice.analyzer.output.Table;
import io.sluice.contract.policy.PolicySet;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Locks as a table for people, as JSON for programs. */
final class LockText {
    private static final long SILENT_MILLIS = 5_000;

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

    /** Returns notes for {@code now}: a kill switch, policies that only report, an analyzer that is silent. */
    static List<String> warnings(FleetState fleet, long now) {
        List<String> warnings = new ArrayList<>();
        fleet.switchedOff(now).forEach(off -> warnings.add(EnforcementText.line(off, now)));
        PolicySet policies = fleet.policies();
        if (policies != null && !policies.enforce()) {
            warnings.add("the policies only report (enforce: false)");
        }
        OptionalLong heartbeat =
                fleet.analyzers().values().stream().mapToLong(Appended::append).max();
        if (heartbeat.isEmpty()) {
            warnings.add("no analyzer heartbeat was found");
        } else if (now - heartbeat.getAsLong() > SILENT_MILLIS) {
            warnings.add("no analyzer heartbeat for " + Spans.text(now - heartbeat.getAsLong()));
        }
        return warnings;
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
