package io.sluice.analyzer.main;

import io.sluice.analyzer.window.StoredWindows;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.usage.UsageKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Which callers had to be locked by when: those whose exact sum over (t − W + pane, t] passes the limit, as soon as the
 * windows hold that much. The changelog of the windows tells when: however busy the machine is, nothing is expected
 * of an analyzer that it can't know yet. It must be at work then, and t not so long ago that nothing opens.
 */
final class DueLocks {
    /** What was counted is decided upon at once, and stands on the changelog at the next commit. */
    private static final long SLACK_MILLIS = 2_000;

    private static final long RECENT_MILLIS = 90_000;

    private final Policy policy;
    private final long limit;
    private final long slackMillis;
    private final Map<UsageKey, Map<Long, Long>> known = new HashMap<>();

    /**
     * @param at time of the event at which the caller was over
     * @param counted when that was known
     */
    record Due(String caller, long at, long counted) {
        boolean kept(LockHistory locks) {
            return locks.closed(caller, at, counted + SLACK_MILLIS);
        }
    }

    DueLocks(Policy policy, long limit, long slackMillis) {
        this.policy = policy;
        this.limit = limit;
        this.slackMillis = slackMillis;
    }

    List<Due> of(LoggedRequests requests, List<ConsumerRecord<byte[], byte[]>> changelog, LockHistory locks)
            throws MalformedRecord {
        Map<String, List<Long>> over = over(requests);
        StoredWindows windows = new StoredWindows(policy.window(), slackMillis);
        List<Due> due = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : changelog) {
            if (!StoredWindows.ofSubject(record.key(), record.value())) {
                continue;
            }
            long now = record.timestamp();
            UsageKey subject = windows.read(record.key(), record.value());
            boolean able = locks.able(record.partition(), now - SLACK_MILLIS, now + SLACK_MILLIS);
            String caller = subject.subject().get(0);
            for (long time : over.getOrDefault(caller, List.of())) {
                if (time > now - RECENT_MILLIS && time <= now && grew(windows, subject, time) && able) {
                    due.add(new Due(caller, time, now));
                }
            }
        }
        return due;
    }

    /** Whether something was added to the window that a time belongs to, and it is over: only then it is asked about. */
    private boolean grew(StoredWindows windows, UsageKey subject, long time) {
        long pane = policy.window().paneOf(time);
        long sum = windows.admitted(subject, pane);
        Long before = known.computeIfAbsent(subject, any -> new HashMap<>()).put(pane, sum);
        return sum > limit && (before == null || before != sum);
    }

    /** Of each caller, the times of its events at which it was over in any case, one for each pane. */
    private Map<String, List<Long>> over(LoggedRequests requests) {
        long covered = policy.window().millis() - policy.window().paneMillis();
        Map<String, List<Long>> over = new HashMap<>();
        requests.inOrderOfTime().forEach(event -> {
            long time = event.time();
            if (requests.sum(event.caller(), time - covered, time) > limit) {
                List<Long> its = over.computeIfAbsent(event.caller(), any -> new ArrayList<>());
                if (its.isEmpty()
                        || policy.window().paneOf(its.get(its.size() - 1))
                                < policy.window().paneOf(time)) {
                    its.add(time);
                }
            }
        });
        return over;
    }
}
