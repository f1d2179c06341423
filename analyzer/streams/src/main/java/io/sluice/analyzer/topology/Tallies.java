package io.sluice.analyzer.topology;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.Counts;
import io.sluice.analyzer.decide.HeldLocks;
import io.sluice.analyzer.top.ClaimedShare;
import io.sluice.analyzer.top.ClaimedWindow;
import io.sluice.analyzer.top.Top;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** The counters of all tasks that this process ran. They outlive a task's leaving, so that sums never fall. Thread-safe. */
public final class Tallies {
    private final Map<String, Counts> tasks = new ConcurrentHashMap<>();
    private final Map<String, Map<String, HeldLocks>> held = new ConcurrentHashMap<>();
    private final Map<String, Top> tops = new ConcurrentHashMap<>();
    private final Map<String, ClaimedWindow> claims = new ConcurrentHashMap<>();
    private final Map<String, MeterSubjects> meters = new ConcurrentHashMap<>();
    private long refusedAt = Long.MIN_VALUE;
    private long refused;
    private final List<ReactionListener> reactions = new CopyOnWriteArrayList<>();

    /**
     * The subjects of a meter task.
     *
     * @param known held back or counted; those that are used again and again may be in here twice
     * @param watched counted because decide tasks ask for them
     */
    public record MeterSubjects(long known, long watched) {}

    /** Receives each lock that opens, on the thread of its task: it has to be quick. */
    @FunctionalInterface
    public interface ReactionListener {
        /**
         * A lock opened.
         *
         * @param millis from the event that crossed the threshold to the decision, by the broker's time
         */
        void decided(long millis);
    }

    /** The counters of a task; those of its earlier life, if it was here before. */
    Counts of(String task) {
        return tasks.computeIfAbsent(task, name -> new Counts());
    }

    /** The locks that a task holds, as of now. */
    void held(String task, Map<String, HeldLocks> locks) {
        held.put(task, locks);
    }

    /** Sets a task's busiest subjects. The task stores a copy once a second, so that neither it nor a reader ever waits. */
    void top(String task, Top top) {
        tops.put(task, top);
    }

    /** Returns the busiest subjects of all tasks of this process, up to a second ago. */
    public Top top() {
        return Top.of(tops.values());
    }

    /** The window of a meter task, which only that task writes. */
    ClaimedWindow claims(String task) {
        return claims.computeIfAbsent(task, name -> new ClaimedWindow());
    }

    /** Returns how many requests of the minute up to the newest one have a claimed caller, over all tasks of this process. */
    public ClaimedShare claimed() {
        long newest =
                claims.values().stream().mapToLong(ClaimedWindow::newest).max().orElse(Long.MIN_VALUE);
        return claims.values().stream().map(window -> window.at(newest)).reduce(ClaimedShare.NONE, ClaimedShare::plus);
    }

    /** The partitions of the decide tasks of this process. */
    public Set<Integer> partitions() {
        return tops.keySet().stream()
                .map(task -> Integer.valueOf(task.substring(task.lastIndexOf('-') + 1)))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Sets the subjects of a meter task, as of now. */
    void subjects(String task, MeterSubjects subjects) {
        meters.put(task, subjects);
    }

    /** Returns the subjects of all meter tasks of this process, some of them up to a second ago. */
    public MeterSubjects subjects() {
        return meters.values().stream()
                .reduce(
                        new MeterSubjects(0, 0),
                        (one, other) -> new MeterSubjects(one.known + other.known, one.watched + other.watched));
    }

    /** A task has left, and took its locks and callers along. */
    void left(String task) {
        meters.remove(task);
        held.remove(task);
        tops.remove(task);
    }

    void decided(long millis) {
        reactions.forEach(listener -> listener.decided(Math.max(0, millis)));
    }

    /** Adds a listener. */
    public void listen(ReactionListener listener) {
        reactions.add(listener);
    }

    /** How many locks of a policy the tasks of this process hold, some of them up to a second ago. */
    public HeldLocks held(String policy) {
        return held.values().stream()
                .map(locks -> locks.getOrDefault(policy, HeldLocks.NONE))
                .reduce(HeldLocks.NONE, HeldLocks::and);
    }

    /** Sums over all tasks. */
    public Map<Count, Long> total() {
        Map<Count, Long> total = new EnumMap<>(Count.class);
        for (Counts counts : tasks.values()) {
            counts.snapshot().forEach((count, many) -> total.merge(count, many, Long::sum));
        }
        return total;
    }

    /** The sum over all tasks. */
    public long total(Count count) {
        return tasks.values().stream().mapToLong(counts -> counts.of(count)).sum();
    }

    /**
     * Returns how many objects of the tasks' state found no room in the heap. Tasks that ask within the same second share one sum.
     *
     * @param second a number that grows by 1 each second
     */
    synchronized long refused(long second) {
        if (second != refusedAt) {
            refusedAt = second;
            refused = total(Count.NO_ROOM);
        }
        return refused;
    }

    /** The sum over all tasks, of one kind. */
    public long total(Count count, String kind) {
        return tasks.values().stream()
                .mapToLong(counts -> counts.of(count, kind))
                .sum();
    }
}
