package io.sluice.analyzer.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.usage.UsageKey;
import java.util.List;
import org.junit.jupiter.api.Test;

class WatchKeysTest {
    @Test
    void aWatch_isThatOfItsSubject() {
        UsageKey subject = new UsageKey("p@1", List.of("acme", "orders"));

        UsageKey key = WatchKeys.of(subject);

        assertThat(WatchKeys.is(key)).isTrue();
        assertThat(WatchKeys.subject(key)).isEqualTo(subject);
        assertThat(WatchKeys.isSpread(key)).isFalse();
        assertThat(WatchKeys.isSpread(WatchKeys.of(WatchKeys.spread(2)))).isTrue();
    }

    /** Any program may write to the topic. */
    @Test
    void keysWithoutASubject_areNoWatches() {
        assertThat(WatchKeys.is(new UsageKey("$watch", List.of()))).isFalse();
        assertThat(WatchKeys.is(new UsageKey("$watch", List.of("")))).isFalse();
        assertThat(WatchKeys.isSpread(new UsageKey("$watch", List.of("$spread"))))
                .isFalse();
    }
}
