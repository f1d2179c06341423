package io.sluice.analyzer.cli;

import io.sluice.contract.topic.TopicFollower;
import io.sluice.settings.InvalidSettings;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Shows locks as they come and go: redrawn in place on a terminal, a line for each change elsewhere. */
final class LockWatch {
    private static final long REDRAW_MILLIS = 500;

    private final PrintWriter out;
    private final boolean terminal;
    private Map<String, HeldLock> shown = Map.of();

    LockWatch(PrintWriter out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    /** Until interrupted, or {@code millis} have passed. */
    void run(Connection connection, long millis) throws InvalidSettings, InterruptedException {
        LockView view = new LockView(connection.topics());
        CountDownLatch caughtUp = new CountDownLatch(1);
        TopicFollower.Listener listener = new TopicFollower.Listener() {
            @Override
            public void record(ConsumerRecord<byte[], byte[]> record) {
                view.accept(record);
            }

            @Override
            public void caughtUp() {
                caughtUp.countDown();
            }
        };
        List<String> topics =
                List.of(connection.topics().gateLocks(), connection.topics().operator());
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        try (TopicFollower follower = new TopicFollower(connection.client(), topics, listener)) {
            follower.start();
            while (millis == 0 || System.nanoTime() < end) {
                if (caughtUp.await(REDRAW_MILLIS, TimeUnit.MILLISECONDS)) {
                    show(view);
                    TimeUnit.MILLISECONDS.sleep(REDRAW_MILLIS);
                } else if (follower.trouble() != null) {
                    out.println("waiting for Kafka: " + follower.trouble());
                    out.flush();
                }
            }
        }
    }

    private void show(LockView view) {
        long now = LocksCommand.now(view);
        List<HeldLock> held = view.held(now);
        if (terminal) {
            out.print("\u001b[H\u001b[2J");
            LockText.table(held, view.warnings(now), now, out);
        } else {
            changes(held, now);
        }
        out.flush();
    }

    private void changes(List<HeldLock> held, long now) {
        Map<String, HeldLock> current = new LinkedHashMap<>();
        held.forEach(lock -> current.put(lock.policy() + lock.subject() + lock.by(), lock));
        current.forEach((key, lock) -> {
            if (!lock.equals(shown.get(key))) {
                line(
                        what(lock, shown.containsKey(key)),
                        lock,
                        lock.mode() + ", " + lock.left(now) + " left: " + lock.why());
            }
        });
        shown.forEach((key, lock) -> {
            if (!current.containsKey(key)) {
                line(lock.released() ? "over   " : "open   ", lock, "after " + Spans.text(now - lock.since()));
            }
        });
        shown = current;
    }

    private static String what(HeldLock lock, boolean known) {
        if (lock.released()) {
            return "freed  ";
        }
        return known ? "renewed" : "locked ";
    }

    private void line(String what, HeldLock lock, String more) {
        out.println(
                Table.printable(what + "  " + lock.policy() + "  " + String.join(" ", lock.subject()) + "  " + more));
    }
}
