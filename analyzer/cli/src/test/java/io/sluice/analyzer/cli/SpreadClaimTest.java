package io.sluice.analyzer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.load.WatchKeys;
import io.sluice.contract.usage.Load;
import io.sluice.contract.usage.LoadCodec;
import io.sluice.contract.usage.UsageKey;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class SpreadClaimTest {
    private static final long NOW = 1_763_700_000_000L;
    private final SpreadClaim claim = new SpreadClaim();

    @Test
    void claimThatWasExceeded_isWarnedOfUntilItsWatchEnds() {
        record("2", NOW + 1);
        record("7", NOW);

        assertThat(claim.symptoms(NOW)).singleElement().satisfies(it -> {
            assertThat(it.grade()).isEqualTo(Symptom.Grade.WARN);
            assertThat(it.found()).contains("claim together: 2;");
            assertThat(it.remedy()).contains("sources.N.spread", "agent.log-spread");
        });
        assertThat(claim.symptoms(NOW + 1)).extracting(Symptom::grade).containsExactly(Symptom.Grade.OK);
    }

    @Test
    void removedWatches_andOtherRecords_areNoSymptom() {
        record("2", NOW + 1);
        claim.record(new ConsumerRecord<>("loads", 0, 0, key("2"), null));
        claim.record(new ConsumerRecord<>("loads", 0, 1, new UsageKey("p@1", List.of("acme")).bytes(), new byte[0]));
        claim.record(new ConsumerRecord<>("loads", 0, 2, key("3"), new byte[] {99}));
        claim.record(new ConsumerRecord<>("loads", 0, 3, new byte[] {1}, null));

        assertThat(claim.symptoms(NOW)).extracting(Symptom::grade).containsExactly(Symptom.Grade.OK);
    }

    private void record(String claimed, long until) {
        Load watch = new Load(0, new long[0], new long[0], new long[0], 0, until);
        claim.record(new ConsumerRecord<>("loads", 0, 0, key(claimed), LoadCodec.write(watch)));
    }

    private static byte[] key(String claimed) {
        UsageKey key = new UsageKey("$watch", List.of(WatchKeys.spread(1).policyRevision(), claimed));
        assertThat(WatchKeys.isSpread(key)).isTrue();
        return key.bytes();
    }
}
