package io.sluice.analyzer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WholeSinceTest {
    private final WholeSince whole = new WholeSince();

    @Test
    void theMarkersOfTransactionsAreNotMissing() {
        records(0, 2, 4);

        assertThat(whole.time()).isZero();
    }

    @Test
    void whatIsGoneBetweenTwoRecordsIsMissing() {
        records(0, 1, 5, 6);

        assertThat(whole.time()).isEqualTo(105);
    }

    @Test
    void whatIsGoneBeforeTheFirstRecordIsMissing() {
        records(7, 8);

        assertThat(whole.time()).isEqualTo(107);
    }

    @Test
    void eachPartitionHasItsOwnOffsets() {
        records(0, 1, 2);
        whole.accept("locks", 1, 0, 100);
        whole.accept("operator", 0, 0, 100);

        assertThat(whole.time()).isZero();
    }

    /** Their append times go up with their offsets. */
    private void records(long... offsets) {
        for (long offset : offsets) {
            whole.accept("locks", 0, offset, 100 + offset);
        }
    }
}
