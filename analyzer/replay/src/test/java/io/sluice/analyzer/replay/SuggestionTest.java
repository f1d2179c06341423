package io.sluice.analyzer.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.event.Identity;
import io.sluice.contract.event.Outcome;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.policy.Policy;
import io.sluice.settings.PolicyFile;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuggestionTest {
    private final Callers callers = new Callers(200_000);
    private long time = 1_000_000;

    /** So many requests within ten seconds. */
    private void calls(String caller, int requests) {
        for (int i = 0; i < requests; i++) {
            callers.add(new RequestEvent(
                    time + 10_000L * i / requests,
                    caller,
                    null,
                    null,
                    null,
                    null,
                    200,
                    0,
                    0,
                    null,
                    Outcome.ALLOWED,
                    1,
                    Identity.NETWORK,
                    Map.of()));
        }
        time += 120_000;
    }

    @ParameterizedTest
    @CsvSource({"1, 10", "5, 10", "6, 12", "49, 98", "51, 110", "5123, 11000"})
    void theLimitIsTwiceWhatOrdinaryCallersReach(int ordinary, long limit) {
        for (int i = 0; i < 20; i++) {
            calls("quiet-" + i, ordinary);
        }
        calls("noisy", 20 * ordinary);

        Suggestion suggestion = Suggestion.of(callers);

        assertThat(suggestion.perMinute()).isEqualTo(limit);
        assertThat(suggestion.over()).extracting(Callers.Caller::caller).containsExactly("noisy");
    }

    @Test
    void aLoneCallerIsItsOwnMeasure() {
        calls("only", 100);

        Suggestion suggestion = Suggestion.of(callers);

        assertThat(suggestion.perMinute()).isEqualTo(200);
        assertThat(suggestion.over()).isEmpty();
    }

    @Test
    void theSuggestionIsAPolicySetThatOnlyReports() throws Exception {
        calls("a", 100);
        calls("b", 10);
        Suggestion suggestion = Suggestion.of(callers);

        Policy policy = PolicyFile.read(suggestion.policies().getBytes(StandardCharsets.UTF_8), "suggested")
                .policies()
                .get(0);

        assertThat(policy.lock().shadow()).isTrue();
        assertThat(policy.limit().shadow()).isTrue();
        assertThat(policy.limit().permits()).isEqualTo((double) suggestion.perMinute());
        assertThat(policy.limit().perMillis()).isEqualTo(60_000);
        assertThat(policy.limit().burst()).isEqualTo(suggestion.perSecond());
    }

    @Test
    void minutesWithoutACallDoNotCountForPercentiles() {
        for (int i = 0; i < 99; i++) {
            calls("a", 2);
        }
        calls("a", 50);

        Callers.Caller caller = callers.top(1).get(0);

        assertThat(caller.count()).isEqualTo(248);
        assertThat(caller.p50()).isEqualTo(2);
        assertThat(caller.p99()).isEqualTo(2);
        assertThat(caller.max()).isEqualTo(50);
        assertThat(caller.share()).isEqualTo(1.0);
    }
}
