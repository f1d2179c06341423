package io.sluice.analyzer.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.topic.TopicProblem;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatePartitionsTest {
    private static final String LEASES = "p.sluice-analyzer-leases-changelog";
    private static final String METERS = "p.sluice-analyzer-meter-epoch-changelog";

    private final StatePartitions state = new StatePartitions("p.sluice-analyzer", "there:9092");

    @ParameterizedTest
    @CsvSource({
        LEASES + ", true",
        METERS + ", true",
        "p.sluice-analyzer-2-leases, false",
        "p.usage, false",
        "other-changelog, false"
    })
    void changelogsOfOursAreState(String topic, boolean ours) {
        assertThat(state.isState(topic)).isEqualTo(ours);
    }

    @Test
    void withoutStateAnyNumberIsRight() {
        assertThat(state.problem("p.requests", "p.usage", Map.of("p.requests", 8, "p.usage", 3)))
                .isEmpty();
    }

    @Test
    void problem_sourceTopicMissing_isNotAboutItsState() {
        assertThat(state.problem("p.requests", "p.usage", Map.of("p.usage", 3, METERS, 2, LEASES, 3)))
                .isEmpty();
    }

    @Test
    void metersFollowTheRequestsAndAllElseFollowsUsage() {
        assertThat(state.problem("p.requests", "p.usage", Map.of("p.requests", 8, "p.usage", 3, METERS, 8, LEASES, 3)))
                .isEmpty();
    }

    @Test
    void partitionsAddedToUsageNeedAllStateToGo() {
        assertThat(state.problem("p.requests", "p.usage", Map.of("p.requests", 2, "p.usage", 3, METERS, 2, LEASES, 2)))
                .map(TopicProblem::toString)
                .hasValue(
                        "p.usage: has 3 partitions, and the analyzer's state in p.sluice-analyzer-leases-changelog was made"
                                + " for 2; stop the analyzers, delete analyzer.state-dir, then kafka-topics --bootstrap-server there:9092"
                                + " --delete --topic 'p\\.sluice-analyzer-.*-changelog'; what was counted begins anew");
    }

    @Test
    void partitionsAddedToTheRequestsNeedTheMetersStateToGo() {
        assertThat(state.problem("p.requests", "p.usage", Map.of("p.requests", 3, "p.usage", 2, METERS, 2, LEASES, 2)))
                .map(TopicProblem::toString)
                .hasValueSatisfying(line -> assertThat(line)
                        .startsWith("p.requests: has 3 partitions")
                        .contains("--topic 'p\\.sluice-analyzer-meter-epoch-changelog'"));
    }
}
