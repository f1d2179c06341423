package io.sluice.analyzer.cli;

import io.sluice.analyzer.api.Target;
import io.sluice.analyzer.fleet.Appended;
import io.sluice.analyzer.recount.Verdict;
import io.sluice.contract.lock.Evidence;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.operator.OperatorRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that is known of why a subject is locked, or isn't. An operator's record takes precedence over the analyzer's.
 *
 * @param now broker time, epoch milliseconds
 * @param operator the operator's record that holds now
 * @param analyzer the analyzer's lock that holds now
 * @param last without such a lock, the last one, if the topic still holds it
 * @param release the record that released that
 * @param past what is recorded of a subject that is not locked, oldest first
 * @param recounted the recount of {@code analyzer} from the request log
 */
record Explanation(
        Target target,
        long now,
        @Nullable Appended<OperatorRecord> operator,
        @Nullable Appended<GateLock> analyzer,
        @Nullable Appended<GateLock> last,
        @Nullable Appended<GateLock> release,
        @Nullable Recounted recounted,
        List<GateEvent> past) {

    /** The verdict, or why there can be none. */
    record Recounted(Evidence evidence, @Nullable Verdict verdict, String impossible) {
        String text() {
            return verdict == null ? impossible : EvidenceText.of(verdict, evidence);
        }
    }

    static Explanation of(
            Target target, GateHistory history, long now, @Nullable Recounted recounted, List<GateEvent> past) {
        boolean held = history.lockAt(now).isPresent();
        return new Explanation(
                target,
                now,
                history.operatorAt(now).orElse(null),
                history.lockAt(now).orElse(null),
                held ? null : history.lock().orElse(null),
                held ? null : history.release().orElse(null),
                recounted,
                past);
    }

    /** Returns whether its gate is locked, be it only to report: not while an operator holds it open. */
    boolean locked() {
        return operator == null ? analyzer != null : operator.record() instanceof OperatorRecord.Lock;
    }
}
