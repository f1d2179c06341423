package io.sluice.analyzer.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.detect.Standing;
import io.sluice.analyzer.detect.Threshold;
import io.sluice.analyzer.window.Panes;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StoredSubjectTest {
    private static Standing part(String detector, @Nullable Double observed, @Nullable Double limit) {
        return new Standing(detector, 1, observed, limit, null, null, false);
    }

    private static StoredSubject stored(List<List<Standing>> standings) {
        Panes panes = new Panes(1, 3_000, new long[] {3_000}, new long[] {1}, new long[] {0});
        return new StoredSubject(panes, Optional.empty(), standings);
    }

    @Test
    void limit_isTheLeastOfTheConditionsAndTheMostOfTheirParts() {
        StoredSubject stored = stored(List.of(
                List.of(part(Threshold.ABOVE, 3.0, 100.0)),
                List.of(part(Threshold.ABOVE, 3.0, 10.0), part(Threshold.SPIKE, 1.0, 40.0)),
                List.of(part(Threshold.ABOVE, 3.0, 5.0), part(Threshold.SPIKE, null, null))));

        assertThat(stored.limit()).hasValue(40);
        assertThat(stored.used(1_000)).isEqualTo(3);
    }

    @Test
    void limit_withoutRuleOrBaseline_isNotKnown() {
        assertThat(stored(List.of()).limit()).isEmpty();
        assertThat(stored(List.of(List.of(part(Threshold.SPIKE, null, null)))).limit())
                .isEmpty();
    }

    @Test
    void used_whileADebtIsPaid_isTheDebt() {
        assertThat(stored(List.of(List.of(part(Threshold.DEBT, 70.0, 50.0)))).used(1_000))
                .isEqualTo(70);
    }
}
