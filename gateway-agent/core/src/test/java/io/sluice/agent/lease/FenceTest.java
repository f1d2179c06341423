package io.sluice.agent.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.lock.Version;
import org.junit.jupiter.api.Test;

final class FenceTest {
    private final Fence fence = new Fence();

    @Test
    void aLowerEpochBehindAHigherOneIsKeptOut() {
        fence.admits(new Version("decide-0", 5, 0));
        assertThat(fence.admits(new Version("decide-0", 4, 9))).isFalse();
    }

    @Test
    void theSameEpochPasses() {
        fence.admits(new Version("decide-0", 5, 3));
        assertThat(fence.admits(new Version("decide-0", 5, 3))).isTrue();
    }

    @Test
    void aHigherEpochPasses() {
        fence.admits(new Version("decide-0", 5, 3));
        assertThat(fence.admits(new Version("decide-0", 6, 0))).isTrue();
    }

    @Test
    void aLowerEpochBeforeAHigherOneIsAFormerLifesRightfulRecord() {
        assertThat(fence.admits(new Version("decide-0", 4, 9))).isTrue();
        assertThat(fence.admits(new Version("decide-0", 5, 0))).isTrue();
    }

    @Test
    void tasksAreFencedApart() {
        fence.admits(new Version("decide-0", 5, 0));
        assertThat(fence.admits(new Version("decide-1", 4, 0))).isTrue();
    }

    @Test
    void readingAgainStartsAnew() {
        fence.admits(new Version("decide-0", 5, 0));
        fence.reset();
        assertThat(fence.admits(new Version("decide-0", 4, 0))).isTrue();
    }
}
