package io.sluice.contract.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopicNamesTest {
    @Test
    void everyNameBeginsWithThePrefix() {
        TopicNames names = new TopicNames("eu.sluice.");

        assertThat(names.gateLocks()).isEqualTo("eu.sluice.gate-locks");
        assertThat(names.deadLetters()).isEqualTo("eu.sluice.dead-letters");
    }

    @Test
    void thePrefixMayBeEmpty() {
        assertThat(new TopicNames("").requests()).isEqualTo("requests");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "a/b", "ü", "a\n", "a:"})
    void whatKafkaRefusesIsRefusedAtOnce(String prefix) {
        assertThatThrownBy(() -> new TopicNames(prefix))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("letters, digits, dots, dashes and underscores");
    }
}
