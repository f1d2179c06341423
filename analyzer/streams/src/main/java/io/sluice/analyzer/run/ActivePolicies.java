package io.sluice.analyzer.run;

import io.sluice.analyzer.topology.FleetListener;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.policy.InvalidPolicies;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.PolicySetJson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the policies topic. {@code active} is in force; a valid {@code desired} becomes active, also where it is what is active
 * already; a bad one is reported and changes nothing. What is no policy set at all counts as nothing; where it took the place of the
 * active set, that is published again before compaction forgets it. Our own file matters only while the topic is empty. Every analyzer
 * does the same, so several may publish one set: they write the same bytes. Used by the follower's thread alone.
 */
final class ActivePolicies implements FleetListener.PolicyTopic {
    private static final Logger log = LoggerFactory.getLogger(ActivePolicies.class);
    private static final PolicySet NONE = new PolicySet(true, List.of(), PolicySet.Guard.DEFAULT, List.of(), "");

    private final @Nullable PolicySet file;
    private final Consumer<PolicySet> follow;
    private final Consumer<PolicySet> publish;
    private boolean caughtUp;
    private boolean empty = true;
    private boolean spoilt;
    private @Nullable PolicySet active;
    private @Nullable PolicySet desired;
    /** Whether the newest record asks for a set; not while the topic is read again. */
    private boolean unanswered;
    /** Whether the topic is read again. */
    private boolean reread;

    private @Nullable String published;
    /** Errors in the newest record of each key that have not been logged yet. */
    private final Map<String, String> unreadable = new TreeMap<>();

    /**
     * @param follow takes the set to go by from now on
     * @param publish writes a set as {@code active}; returns at once
     */
    ActivePolicies(@Nullable PolicySet file, Consumer<PolicySet> follow, Consumer<PolicySet> publish) {
        this.file = file;
        this.follow = follow;
        this.publish = publish;
    }

    @Override
    public void record(byte[] key, byte[] value, String origin) {
        // a set that we can't follow may be a newer analyzer's, which is not to be overwritten
        boolean set = PolicySetJson.isSet(value);
        empty &= !set;
        String name = new String(key, StandardCharsets.UTF_8);
        if (name.equals(PolicySetJson.ACTIVE)) {
            PolicySet next = readable(name, value, origin);
            active = next == null ? active : next;
            unanswered = false;
            spoilt = !set;
            restore();
            follow();
        } else if (name.equals(PolicySetJson.DESIRED)) {
            desired = readable(name, value, origin);
            unanswered = !reread;
            // an unchanged set may lack a signature of the key now in use
            publish(true);
        }
    }

    private @Nullable PolicySet readable(String name, byte[] value, String origin) {
        String what = "the " + name + " policies (" + origin + ") can't be ";
        try {
            // an analyzer's set may be a newer one's, whose additions are passed over
            PolicySet set =
                    name.equals(PolicySetJson.DESIRED) ? PolicySetJson.readDesired(value) : PolicySetJson.read(value);
            unreadable.remove(name);
            return set;
        } catch (InvalidPolicies e) {
            unreadable.put(name, what + "used; the policies before them stay:\n" + e.getMessage());
        } catch (MalformedRecord e) {
            unreadable.put(name, what + "read; the policies before them stay: " + e.getMessage());
        }
        if (caughtUp) {
            complain();
        }
        return null;
    }

    /** Of the history only records that no later one has replaced are worth a line. */
    private void complain() {
        unreadable.values().forEach(log::error);
        unreadable.clear();
    }

    @Override
    public void caughtUp() {
        caughtUp = true;
        complain();
        if (empty && file != null) {
            log.info("publishing the policy file, revision {}", file.revision());
            active = file;
            spoilt = false;
            published = file.revision();
            publish.accept(file);
        } else if (active == null) {
            log.warn("there are no policies yet: nothing is counted; publish some with ./sluice policies apply FILE");
        } else if (file != null && !file.revision().equals(active.revision())) {
            log.warn(
                    "the policy file has no effect: it is revision {}, and {} is in force; ./sluice policies apply FILE replaces it",
                    file.revision(),
                    active.revision());
        }
        restore();
        publish(unanswered);
        reread = false;
        follow();
    }

    /** What is in force stays so; what was asked for long ago is not asked for again. */
    @Override
    public void again() {
        caughtUp = false;
        reread = true;
        desired = null;
    }

    private void restore() {
        if (caughtUp && spoilt && active != null) {
            log.warn("publishing the active policies again, revision {}", active.revision());
            spoilt = false;
            published = active.revision();
            publish.accept(active);
        }
    }

    private void follow() {
        if (caughtUp) {
            follow.accept(active == null ? NONE : active);
        }
    }

    /** @param unchanged whether also a set that is active is published */
    private void publish(boolean unchanged) {
        PolicySet wanted = desired;
        if (!caughtUp || wanted == null) {
            return;
        }
        // our last record may not have come back yet: the wanted set must equal both, or be written again
        boolean isActive = active != null && wanted.revision().equals(active.revision());
        if (unchanged || !isActive || (published != null && !wanted.revision().equals(published))) {
            log.info("publishing the desired policies, revision {}", wanted.revision());
            published = wanted.revision();
            publish.accept(wanted);
        }
    }
}
