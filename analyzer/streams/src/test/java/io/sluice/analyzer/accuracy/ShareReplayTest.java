package io.sluice.analyzer.accuracy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.replay.ReplayEngine;
import io.sluice.analyzer.replay.ReplayLock;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.policy.Measure;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.Window;
import io.sluice.testing.Seeds;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A share is a quotient: to leave out what lies in a pane at the window's edge may raise it as well as lower it. So what is
 * asked is that it is the exact share in a window that is shorter by less than a pane: from the border of a pane until now.
 */
@Tag("server")
@Tag(Seeds.TAG)
class ShareReplayTest {
    private static final int CALLERS = 30;
    private static final double SHARE = 0.08;
    private static final int BEYOND = 40;

    private final Set<String> locked = new HashSet<>();

    static LongStream seeds() {
        return LongStream.range(0, Seeds.of(3, Workload.SEEDS))
                .filter(seed -> Workload.of(seed, 1).policy().measure().equals(Measure.REQUESTS));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aShareIsTheExactOneOfAWindowShorterByLessThanAPane(long seed) {
        Workload workload = Workload.of(seed, CALLERS);
        PolicySet policies =
                Rewritten.policies(workload, 1, "", "'when':[{'share':" + SHARE + ",'of':[],'beyond':" + BEYOND + "}]");
        Admitted admitted = new Admitted(
                policies.policies().get(0).window(), workload.events().get(0).time());
        int known = 0;

        try (ReplayEngine engine = new ReplayEngine(policies)) {
            for (RequestEvent event : workload.events()) {
                engine.add(event);
                List<ReplayLock> all = engine.locks();
                List<ReplayLock> opened = all.subList(known, all.size());
                known = all.size();
                // some open as time passes between events, the others by the event
                Set<String> doubtful = new HashSet<>();
                for (ReplayLock lock : opened) {
                    String caller = lock.subject().get(0);
                    locked.add(caller);
                    if (!admitted.over(caller, lock.evidence().decided())) {
                        assertThat(lock.evidence().decided()).isEqualTo(event.time());
                        doubtful.add(caller);
                    }
                }
                admitted.add(event);
                assertThat(doubtful)
                        .as("locked at %d", event.time())
                        .allMatch(caller -> admitted.over(caller, event.time()));
                assertThat(locked.contains(event.caller()) || !admitted.over(event.caller(), event.time()))
                        .as("%s must be locked by %d", event.caller(), event.time())
                        .isTrue();
            }
        }
        assertThat(locked).isNotEmpty();
    }

    /** What was admitted, each event with its time. */
    private static final class Admitted {
        private final Window window;
        private final long firstPane;
        private final ArrayDeque<Long> load = new ArrayDeque<>();
        private final Map<String, ArrayDeque<Long>> callers = new HashMap<>();

        Admitted(Window window, long firstTime) {
            this.window = window;
            firstPane = window.paneOf(firstTime);
        }

        void add(RequestEvent event) {
            if (event.rejected()) {
                return;
            }
            load.add(event.time());
            if (event.identity() != Identity.CLAIMED) {
                callers.computeIfAbsent(event.caller(), any -> new ArrayDeque<>())
                        .add(event.time());
            }
        }

        boolean over(String caller, long time) {
            long pane = window.paneOf(time) - window.panes() + 1;
            long from = pane * window.paneMillis();
            int total = since(from, load);
            int own = since(from, callers.getOrDefault(caller, new ArrayDeque<>()));
            return firstPane <= pane && total > BEYOND && total - own >= 1 && own > SHARE * total;
        }

        private static int since(long from, ArrayDeque<Long> times) {
            while (!times.isEmpty() && times.element() < from) {
                times.remove();
            }
            return times.size();
        }
    }
}
