package io.sluice.analyzer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.TestPolicies;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A source that reports far more requests than it may. */
class ExcessTest {
    private static final long START = 1_763_700_000_000L;

    @TempDir
    Path state;

    private void report(DrivenAnalyzer analyzer, int events) {
        for (int i = 0; i < events; i++) {
            analyzer.append(
                    null,
                    "{\"time\":%d,\"caller\":\"victim\",\"count\":10}"
                            .formatted(analyzer.now())
                            .getBytes(StandardCharsets.UTF_8));
        }
    }

    private DrivenAnalyzer analyzer(long most) {
        return new DrivenAnalyzer(
                state,
                TestPolicies.policies("{'name':'noisy','per':['caller'],'window':'10s',"
                        + "'lock':{'when':[{'above':1000}],'mode':'block'}}"),
                START,
                false,
                1,
                most);
    }

    @Test
    void excess_isCountedAndLocksNoCaller() throws Exception {
        try (DrivenAnalyzer analyzer = analyzer(500)) {
            report(analyzer, 200);
            analyzer.passUntil(START + 800);

            assertThat(analyzer.count(Count.EXCESS)).isEqualTo(1_500);
            assertThat(analyzer.count(Count.OPENED)).isZero();
        }
    }

    @Test
    void withoutABound_theSameReportLocks() throws Exception {
        try (DrivenAnalyzer analyzer = analyzer(Long.MAX_VALUE)) {
            report(analyzer, 200);
            analyzer.passUntil(START + 800);

            assertThat(analyzer.count(Count.EXCESS)).isZero();
            assertThat(analyzer.count(Count.OPENED)).isEqualTo(1);
        }
    }
}
