package io.sluice.faults.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.sluice.agent.GateAgent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LimitedCallerTest {
    // one permit now, the next one in a day
    private final GateAgent agent = GateAgent.builder()
            .bootstrap("127.0.0.1:1")
            .service("orders")
            .policies("""
                    {"policies":[{"name":"one","per":["caller"],"limit":{"rate":"1/d","burst":1}}]}""".getBytes(StandardCharsets.UTF_8))
            .build();

    @AfterEach
    void close() {
        agent.close();
    }

    private LimitedCaller calling(Duration patience) {
        LimitedCaller caller = new LimitedCaller(agent, patience);
        caller.start(List.of("acme", "1000", "0.00001", "1"));
        return caller;
    }

    @Test
    void stop_waitsForTheCallsThatAreAdmitted() throws Exception {
        assertThat(calling(Duration.ofMinutes(1)).stop(List.of("1"))).contains(" admitted=1 wrong=0 ");
    }

    @Test
    void stop_endsAlsoWhenNothingIsAdmittedAnyMore() {
        LimitedCaller caller = calling(Duration.ofMillis(100));

        assertThatIllegalStateException()
                .isThrownBy(() -> caller.stop(List.of("2")))
                .withMessageContaining(" calls were admitted, at least 2 were expected");
    }
}
