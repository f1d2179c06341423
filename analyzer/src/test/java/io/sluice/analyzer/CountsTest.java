package io.sluice.analyzer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CountsTest {
    @Test
    void countsEachKindByItself() {
        Counts counts = new Counts();

        counts.add(Count.OPENED);
        counts.add(Count.LATE, 3);

        assertThat(counts.of(Count.OPENED)).isEqualTo(1);
        assertThat(counts.snapshot())
                .containsEntry(Count.LATE, 3L)
                .containsEntry(Count.RELEASED, 0L)
                .hasSize(Count.values().length);
    }
}
