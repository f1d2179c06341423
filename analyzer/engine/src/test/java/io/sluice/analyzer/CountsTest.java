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

    @Test
    void whatIsCountedByKindIsInTheTotalToo() {
        Counts counts = new Counts();
        counts.add(Count.OPENED, "noisy");
        counts.add(Count.OPENED, "noisy");
        counts.add(Count.OPENED, "scraper");

        assertThat(counts.of(Count.OPENED)).isEqualTo(3);
        assertThat(counts.of(Count.OPENED, "noisy")).isEqualTo(2);
        assertThat(counts.of(Count.OPENED, "scraper")).isEqualTo(1);
    }

    @Test
    void aKindOfOneCountIsNoneOfAnother() {
        Counts counts = new Counts();
        counts.add(Count.OPENED, "noisy");

        assertThat(counts.of(Count.RELEASED, "noisy")).isZero();
        assertThat(counts.of(Count.RELEASED)).isZero();
    }
}
