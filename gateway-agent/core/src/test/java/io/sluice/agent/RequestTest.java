package io.sluice.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.event.Identity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RequestTest {
    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "  ", "\t"})
    void aMissingCallerIsUnknownAndOnlyClaimed(String caller) {
        Request request = Request.of(caller).identity(Identity.AUTHENTICATED).build();
        assertThat(request.caller()).isEqualTo("unknown");
        assertThat(request.identity()).isEqualTo(Identity.CLAIMED);
    }

    @Test
    void attributesAreWrittenInTheirOneSpelling() {
        Request request = Request.of("acme")
                .ip("[2001:DB8::1]:443")
                .method("get")
                .label("plan", "gold")
                .build();
        assertThat(request.ip()).isEqualTo("2001:db8::1");
        assertThat(request.method()).isEqualTo("GET");
        assertThat(request.label("plan")).isEqualTo("gold");
        assertThat(request.label("other")).isNull();
    }

    @Test
    void whatIsNoAddressIsLeftOut() {
        assertThat(Request.of("acme").ip("not-an-address").build().ip()).isNull();
    }

    /** As in events that are read: otherwise a limit would apply to a subject that the analyzer never counts. */
    @Test
    void emptyAttributes_areAbsent() {
        Request request = Request.of("acme")
                .service("")
                .route("")
                .method("")
                .label("plan", "")
                .build();

        assertThat(request.service()).isNull();
        assertThat(request.route()).isNull();
        assertThat(request.method()).isNull();
        assertThat(request.label("plan")).isNull();
        assertThat(request.labels()).isEmpty();
    }

    @Test
    void aLongCallerIsBounded() {
        assertThat(Request.of("x".repeat(100_000)).build().caller().length()).isLessThanOrEqualTo(128);
    }
}
