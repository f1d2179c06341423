package io.sluice.analyzer.meter;

import com.dynatrace.hash4j.hashing.HashStream64;
import com.dynatrace.hash4j.hashing.Hashing;
import io.sluice.analyzer.distinct.DistinctHash;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.usage.Origin;
import io.sluice.contract.usage.UsagePartial;
import io.sluice.contract.usage.Values;
import java.util.List;
import java.util.SplittableRandom;

/** The quiet subjects of a group of policies, and how many subjects are active in it. Not thread-safe. */
final class Withheld {
    // the salt prevents clients from choosing names that collide
    private static final long SALT = new SplittableRandom().nextLong();

    private final MeteredGroup.Key key;
    private final List<CountedAmount> counted;
    private final HashStream64 hash = Hashing.komihash5_0(SALT).hashStream();
    private final QuietSubjects quiet;
    private final ActiveSketch active;
    private List<String> revisions;
    private long hashed;

    Withheld(
            MeteredGroup.Key key,
            List<MeteredPolicy> policies,
            long slackMillis,
            MeteredGroups.Rooms rooms,
            DistinctHash values) {
        this.key = key;
        counted = MeteredGroup.counted(policies);
        revisions = revisions(policies);
        quiet = new QuietSubjects(
                key.window(),
                key.distinct() != null,
                counted.size(),
                counted.indexOf(CountedAmount.REQUESTS),
                slackMillis,
                rooms);
        active = new ActiveSketch(key.window(), values);
    }

    private static List<String> revisions(List<MeteredPolicy> policies) {
        return policies.stream().map(policy -> policy.revision).toList();
    }

    /** Follows a change of the policies of the group. Returns false when they add up something else than before: what is held is of no use then. */
    boolean follow(List<MeteredPolicy> policies) {
        if (!counted.equals(MeteredGroup.counted(policies))) {
            return false;
        }
        PolicyBits bits = new PolicyBits(revisions, revisions(policies));
        if (!bits.same()) {
            quiet.remap(bits, (1L << revisions.size()) - 1);
            revisions = revisions(policies);
        }
        return true;
    }

    /** Takes the watches of a former group of the same key, as far as its policies are still there: decide tasks renew them twice per window only. */
    void takeWatches(Withheld former) {
        quiet.watches().take(former.quiet.watches(), new PolicyBits(former.revisions, revisions));
    }

    QuietSubjects quiet() {
        return quiet;
    }

    ActiveSketch active() {
        return active;
    }

    /** Sets the subject of the event that is {@link #add added} next. */
    void setSubject(String[] subject) {
        hashed = hash(subject);
    }

    /** Prefetches what {@link #add} reads of the subject that was set; the result has no meaning. */
    long prefetch() {
        return quiet.prefetch(hashed);
    }

    /** Adds an event of the subject that was set; returns the policies for which it is to be counted, after what is to be released. */
    long add(MeteredGroup group, RequestEvent event, long[] amounts) {
        String[] subject = group.subject();
        if (event.rejected()) {
            quiet.rejected(hashed, event.time(), group.marks);
            return group.all();
        }
        long loud = quiet.add(hashed, event.time(), Math.max(1, event.count()), amounts, group.marks.of(subject));
        if (quiet.fresh()) {
            active.seen(subject, event.time());
        }
        return loud;
    }

    void watch(MeteredGroup group, long policies, String[] subject, long until) {
        quiet.watch(hash(subject), policies, until, group.marks);
    }

    private long hash(String[] subject) {
        hash.reset();
        for (String value : subject) {
            // with its length: [ab, c] is not [a, bc]
            hash.putString(value);
        }
        return hash.getAsLong();
    }

    /** Returns a number of active subjects, to be sent. */
    UsagePartial partial(ActiveSketch.Report report, Origin origin, long seq) {
        long time = report.newestTime();
        return new UsagePartial(
                false,
                key.window().paneOf(time),
                0,
                0,
                0,
                time,
                time,
                origin,
                seq,
                0,
                new Values(report.subjects().encode()));
    }
}
