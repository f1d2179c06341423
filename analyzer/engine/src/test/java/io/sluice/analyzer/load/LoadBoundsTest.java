package io.sluice.analyzer.load;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.usage.Load;
import io.sluice.contract.usage.Origin;
import io.sluice.contract.usage.UsageKey;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class LoadBoundsTest {
    private static final long TIME = 1_763_700_000_000L;
    private static final long DAY = 24 * 3_600_000L;
    private static final UsageKey GROUP = new UsageKey("p@1", List.of("service", "orders"));
    private static final UsageKey WATCH = WatchKeys.of(new UsageKey("p@1", List.of("acme")));
    private static final UsageKey ACTIVE = ActiveTotals.key("p@1");

    private final LoadBounds bounds = new LoadBounds(1, 5_000);

    private void check(UsageKey key, long since, long asOf) throws MalformedRecord {
        bounds.check(key, new Load(0, new long[1], new long[1], new long[1], since, asOf), TIME);
    }

    @Test
    void timesWithinTheBounds_areAccepted() {
        assertThatCode(() -> check(GROUP, Long.MAX_VALUE, LoadBounds.EARLIEST)).doesNotThrowAnyException();
        assertThatCode(() -> check(GROUP, Long.MAX_VALUE, TIME + 65_000)).doesNotThrowAnyException();
        assertThatCode(() -> check(ACTIVE, TIME + 65_000, TIME + 65_000)).doesNotThrowAnyException();
        assertThatCode(() -> check(WATCH, 0, TIME + DAY + 65_000)).doesNotThrowAnyException();
        assertThatCode(() -> bounds.origin("load", new Origin(0, TIME + 366 * DAY), TIME))
                .doesNotThrowAnyException();
    }

    @Test
    void timesBeyondTheBounds_areMalformed() {
        malformed("load.asOf", () -> check(GROUP, 0, LoadBounds.EARLIEST - 1));
        malformed("load.asOf", () -> check(GROUP, 0, TIME + 65_001));
        malformed("load.since", () -> check(ACTIVE, TIME + 65_001, TIME));
        malformed("load.asOf", () -> check(WATCH, 0, TIME + DAY + 65_001));
        malformed("load.epoch", () -> bounds.origin("load", new Origin(0, TIME + 366 * DAY + 1), TIME));
    }

    private static void malformed(String field, ThrowingCallable check) {
        assertThatThrownBy(check).isInstanceOf(MalformedRecord.class).hasMessageStartingWith(field + ": ");
    }
}
