package io.sluice.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.json.JsonNodes;
import io.sluice.contract.json.Node;
import io.sluice.demo.stage.Stage;
import io.sluice.demo.story.Outcome;
import io.sluice.demo.story.Report;
import io.sluice.demo.view.Scene;
import io.sluice.demo.view.Screen;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The real thing: a broker, an analyzer, two gateways, and 21 callers over HTTP. */
@Tag("server")
class DemoTest {

    /** Keeps what it is told. */
    private static final class Kept implements Screen {
        private final List<String> lines = new ArrayList<>();
        private final List<Scene> scenes = new ArrayList<>();

        @Override
        public void say(String line) {
            lines.add(line);
        }

        @Override
        public void show(Scene scene) {
            scenes.add(scene);
        }

        @Override
        public void close() {}
    }

    @Tag("full")
    @Test
    void theNoisyCallerIsLockedOutEverywhereAndNobodyElse() throws Exception {
        Kept screen = new Kept();

        Outcome outcome = new Demo(Script.of(40), screen, new CountDownLatch(1), PatientPolicies.of(Stage.policies()))
                .play(0)
                .orElseThrow();

        assertThat(outcome.problems()).isEmpty();
        assertThat(screen.scenes).anyMatch(scene -> scene.locked("acme")).noneMatch(scene -> scene.locked("amber"));
        Node.Mapping report = (Node.Mapping) JsonNodes.read(Report.of(outcome), "report");
        assertThat(number(report, "neighboursRejected")).isZero();
        assertThat(number(report, "noisyRejected")).isPositive();
        assertThat(number(report, "requests"))
                .isEqualTo(outcome.noisy().requests() + outcome.neighbours().requests());
        Node.Listing gateways = (Node.Listing) report.value("gateways");
        assertThat(gateways.items())
                .hasSize(2)
                .allSatisfy(gateway -> assertThat(number((Node.Mapping) gateway, "lockedAt"))
                        .isBetween(outcome.begin(), System.currentTimeMillis()));
        assertThat(outcome.noisyLocks().get(0).opened().policy()).isEqualTo("noisy-neighbour");
        // a machine that stands still for seconds lets requests time out, but makes none fail
        assertThat(outcome.neighbours().failed()).isZero();
    }

    @Test
    void whoEndsItBeforeItBeganIsToldNoStory() throws Exception {
        Optional<Outcome> outcome = new Demo(Script.of(20), new Kept(), new CountDownLatch(0)).play(0);

        assertThat(outcome).isEmpty();
    }

    private static long number(Node.Mapping of, String key) {
        return Long.parseLong(((Node.Scalar) of.value(key)).text());
    }
}
