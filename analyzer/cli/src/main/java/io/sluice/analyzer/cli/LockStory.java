package io.sluice.analyzer.cli;

import io.sluice.analyzer.api.Target;
import io.sluice.contract.lock.Evidence;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.contract.policy.LockRule;
import io.sluice.contract.policy.Match;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Describes a lock or an operator's record, line by line. */
final class LockStory {
    private final Target target;
    private final long now;
    private final List<Line> lines = new ArrayList<>();

    /** A heading word and a sentence. */
    record Line(String label, String text) {}

    private LockStory(Target target, long now) {
        this.target = target;
        this.now = now;
    }

    /**
     * The analyzer's lock.
     *
     * @param now broker time, epoch milliseconds
     */
    static List<Line> of(GateLock lock, Target target, long now) {
        LockStory story = new LockStory(target, now);
        LockRule rule = target.policy().lockFor(target.subject());
        story.line("mode", mode(lock) + story.effect(lock, rule));
        if (rule != null && !rule.closes().equals(Match.ANY)) {
            story.line("closes", "requests that match " + rule.closes());
        }
        story.line("since", story.ago(lock.since()));
        story.line("until", story.ahead(lock.until()));
        if (lock.level() > 1) {
            story.line("level", lock.level() + ": repeated, so it lasts longer than the first one");
        }
        Evidence evidence = lock.evidence();
        if (evidence != null) {
            story.evidence(evidence);
            if (rule != null) {
                story.line("release", story.release(rule, evidence));
            }
        }
        return story.lines;
    }

    /** Describes an operator's record of the subject. */
    static List<Line> of(OperatorRecord said, long append, Target target, long now) {
        LockStory story = new LockStory(target, now);
        if (said instanceof OperatorRecord.Lock lock) {
            String rate = lock.rate() > 0 ? " " + Spans.number(lock.rate()) + "/s over all agents together" : "";
            String reports = target.set().enforce() ? "" : "; only reported, for the policies don't enforce";
            story.line("mode", lock.mode().spelling() + rate + reports);
        }
        story.line("since", story.ago(append));
        long end = HeldLock.end(said, append);
        story.line("until", end == Long.MAX_VALUE ? "an operator changes it" : story.ahead(end));
        story.line("by", "operator " + said.author());
        story.line("reason", said.reason());
        return story.lines;
    }

    private void line(String label, String text) {
        lines.add(new Line(label, text));
    }

    private static String mode(GateLock lock) {
        return lock.mode().spelling()
                + switch (lock.mode()) {
                    case THROTTLE -> " " + Spans.number(lock.rate()) + "/s over all agents together";
                    case SHED -> " " + Math.round(lock.ratio() * 100) + " % of the requests";
                    default -> "";
                };
    }

    /** Why it rejects nothing, if it doesn't. */
    private String effect(GateLock lock, @Nullable LockRule rule) {
        if (lock.guarded()) {
            return "; only reported: the guard has let no more subjects of this policy be locked";
        }
        if (lock.shadow() || lock.mode() == Mode.SHADOW) {
            return "; only reported: the policy is a shadow";
        }
        if (!target.set().enforce()) {
            return "; only reported: the policies don't enforce";
        }
        boolean shadowNow = rule != null && (rule.shadow() || rule.mode() == Mode.SHADOW);
        return shadowNow ? "; only reported: the policy is a shadow by now" : "";
    }

    private void evidence(Evidence evidence) {
        line("why", EvidenceText.seen(evidence) + " (" + evidence.detector() + ")");
        line(
                "crossed",
                Spans.time(evidence.crossed()) + ", the newest request counted then; decided "
                        + Spans.text(evidence.decided() - evidence.crossed()) + " later");
    }

    private String release(LockRule rule, Evidence evidence) {
        String part = Spans.number(Math.round(rule.release() * 1000) / 10.0) + " %";
        if (evidence.detector().equals("debt")) {
            return "when its debt is down to " + Spans.grouped(evidence.threshold() * rule.release())
                    + "; what is rejected costs nothing; after " + Spans.text(rule.debtUpToMillis()) + " at the latest";
        }
        String allowed = evidence.detector().equals("above")
                ? Spans.grouped(evidence.threshold() * rule.release()) + " in " + Spans.text(evidence.windowMillis())
                        + ", " + part + " of what is allowed"
                : part + " of what is allowed";
        return "when it asks for less than " + allowed + " (rejected requests count); else after "
                + Spans.text(rule.forMillis())
                + ", or later: it is renewed while it asks for over 80 % of what is allowed";
    }

    private String ago(long time) {
        return Spans.time(time) + ", " + Spans.text(now - time) + " ago";
    }

    private String ahead(long time) {
        return Spans.time(time) + ", " + Spans.text(time - now) + " from now";
    }
}
