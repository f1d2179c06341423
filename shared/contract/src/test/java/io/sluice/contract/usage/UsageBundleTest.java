package io.sluice.contract.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.contract.json.MalformedRecord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class UsageBundleTest {

    @Test
    void whatWasPutInComesOutInItsOrder() throws Exception {
        // given
        Random random = new Random(1);
        UsageBundle bundle = new UsageBundle();
        List<String> put = new ArrayList<>();
        for (int n = 0; n < 2_000; n++) {
            byte[] key = bytes(random, 1 + random.nextInt(200));
            byte[] value = bytes(random, random.nextInt(300));
            bundle.add(key, value);
            put.add(Arrays.toString(key) + Arrays.toString(value));
        }

        // when
        byte[] taken = bundle.take();
        List<String> read = new ArrayList<>();
        UsageBundle.read(taken, (key, value) -> read.add(Arrays.toString(key) + Arrays.toString(value)));

        // then
        assertThat(UsageBundle.is(taken)).isTrue();
        assertThat(read).isEqualTo(put);
        assertThat(bundle.size()).isZero();
    }

    @Test
    void itSaysHowManyBytesItHas() {
        UsageBundle bundle = new UsageBundle();
        assertThat(bundle.size()).isZero();

        bundle.add(new byte[127], new byte[128]);

        assertThat(bundle.size()).isEqualTo(1 + 1 + 127 + 2 + 128);
        assertThat(bundle.take()).hasSize(259);
    }

    @Test
    void onePartialAloneIsNoBundle() {
        assertThat(UsageBundle.is(UsageCodec.write(new MeterPosition(1, new Origin(0, 0), 0))))
                .isFalse();
        assertThat(UsageBundle.is(new byte[0])).isFalse();
    }

    @Test
    void whatIsCutOffAnywhereIsMalformed() {
        UsageBundle bundle = new UsageBundle();
        bundle.add("key".getBytes(StandardCharsets.UTF_8), "value".getBytes(StandardCharsets.UTF_8));
        byte[] whole = bundle.take();

        for (int length = 1; length < whole.length; length++) {
            byte[] piece = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> UsageBundle.read(piece, (key, value) -> {}))
                    .isInstanceOf(MalformedRecord.class);
        }
    }

    private static byte[] bytes(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}
