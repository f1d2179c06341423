package io.sluice.agent.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.GateAgent;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RouteNormalizer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Doors that read callers from a header that every client can write. */
final class ClaimedCallersTest {
    private static final LocalAgents AGENTS = new LocalAgents();
    private static final GateAgent AGENT = AGENTS.open("{\"policies\":[]}");

    @AfterAll
    static void closeAgents() throws Exception {
        AGENTS.close();
    }

    private static String logged(BiFunction<CallerExtraction, RouteNormalizer, ?> door, @Nullable Identity identity) {
        PrintStream err = System.err;
        ByteArrayOutputStream captured = new ByteArrayOutputStream();
        System.setErr(new PrintStream(captured, true, StandardCharsets.UTF_8));
        try {
            CallerExtraction caller = CallerExtraction.of("header:X-Api-Key", identity, List.of(), 64);
            assertThat(door.apply(caller, new RouteNormalizer(List.of()))).isNotNull();
        } finally {
            System.setErr(err);
        }
        return captured.toString(StandardCharsets.UTF_8);
    }

    @Test
    void door_claimedCallers_warnsOnceAtStart() {
        assertThat(logged((caller, routes) -> new GateServletFilter(AGENT, caller, routes), null))
                .containsOnlyOnce("Callers come from header X-Api-Key and count as claimed");
        assertThat(logged((caller, routes) -> new GateHttpFilter(AGENT, caller, routes), null))
                .containsOnlyOnce("Callers come from header X-Api-Key and count as claimed");
    }

    @Test
    void door_verifiedCallers_doesNotWarn() {
        assertThat(logged((caller, routes) -> new GateServletFilter(AGENT, caller, routes), Identity.AUTHENTICATED))
                .doesNotContain("claimed");
    }
}
