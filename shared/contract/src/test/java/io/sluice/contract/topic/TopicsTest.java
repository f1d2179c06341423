package io.sluice.contract.topic;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopicsTest {
    private static final TopicNames NAMES = new TopicNames("sluice.");

    @ParameterizedTest
    @ValueSource(strings = {"requests", "usage", "gate-locks", "agents", "dead-letters"})
    void retention_takesEffectWithinASixthOfItself(String topic) {
        var settings = Topics.definitions(NAMES, 1, 1, 600_000).stream()
                .filter(definition -> definition.name().equals("sluice." + topic))
                .findFirst()
                .orElseThrow()
                .settings();

        long retention = Long.parseLong(settings.get("retention.ms"));
        assertThat(Long.parseLong(settings.getOrDefault("segment.ms", "604800000")))
                .isLessThanOrEqualTo(retention / 6);
    }
}
