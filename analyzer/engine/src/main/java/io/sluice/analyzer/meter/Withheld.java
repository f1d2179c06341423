package io.sluice.analyzer.meter;

import com.dynatrace.hash4j.hashing.HashStream64;
import com.dynatrace.hash4j.hashing.Hashing;
import io.sluice.analyzer.distinct.DistinctHash;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.policy.Measure;
import io.sluice.contract.usage.Origin;
import io.sluice.contract.usage.UsagePartial;
import io.sluice.contract.usage.Values;
import java.util.SplittableRandom;

/** The quiet subjects of a group of policies, and how many subjects are active in it. Not thread-safe. */
final class Withheld {
    // the salt keeps anybody from choosing names of one hash
    private static final long SALT = new SplittableRandom().nextLong();

    private final MeteredGroup.Key key;
    private final HashStream64 hash = Hashing.komihash5_0(SALT).hashStream();
    private final QuietSubjects quiet;
    private final ActiveSketch active;

    Withheld(MeteredGroup.Key key, long slackMillis, QuietSubjects.Room room, DistinctHash values) {
        this.key = key;
        quiet = new QuietSubjects(key.window(), key.measure() instanceof Measure.Distinct, slackMillis, room);
        active = new ActiveSketch(key.window(), values);
    }

    QuietSubjects quiet() {
        return quiet;
    }

    ActiveSketch active() {
        return active;
    }

    QuietSubjects.Answer add(MeteredGroup group, String[] subject, RequestEvent event, long amount) {
        int size = group.subjectSize();
        long hashed = hash(subject, size);
        if (event.rejected()) {
            return quiet.rejected(hashed, event.time());
        }
        QuietSubjects.Answer answer = quiet.add(
                hashed, event.time(), Math.max(1, event.count()), group.held(event, amount), group.mark(subject));
        if (quiet.fresh()) {
            active.seen(subject, size, event.time());
        }
        return answer;
    }

    boolean watch(String[] subject, long until) {
        return quiet.watch(hash(subject, subject.length), until);
    }

    private long hash(String[] subject, int size) {
        hash.reset();
        for (int i = 0; i < size; i++) {
            // with its length: [ab, c] is not [a, bc]
            hash.putString(subject[i]);
        }
        return hash.getAsLong();
    }

    /** The number of active subjects, to be sent. */
    UsagePartial partial(Origin origin, long seq) {
        long time = active.newestTime();
        return new UsagePartial(
                false, key.window().paneOf(time), 0, 0, 0, time, time, origin, seq, 0, new Values(active.encode()));
    }
}
