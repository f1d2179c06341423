package io.sluice.quota.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.quota.token.TokenMessages.Charges;
import java.util.List;
import org.junit.jupiter.api.Test;

class TokenMessagesTest {
    private static final String LONGEST = "p".repeat(64);

    private static Charges charges(String policy, String slot) {
        return new Charges(List.of(new TokenCharge(policy, slot, false, 1_000, 10, "[\"acme\"]", 1)), 0);
    }

    private static Charges sent(Charges message) {
        return TokenMessages.ACQUIRE.parseRequest(TokenMessages.ACQUIRE.streamRequest(message));
    }

    @Test
    void charge_withNamesAsLongAsPoliciesAllow_isRead() {
        Charges message = charges(LONGEST, LONGEST);

        assertThat(sent(message)).isEqualTo(message);
    }

    @Test
    void charge_withALongerName_isRefused() {
        assertThatThrownBy(() -> sent(charges(LONGEST + "p", "")))
                .hasMessageStartingWith("INVALID_ARGUMENT")
                .hasMessageContaining("policy of 65 and slot of 0 characters; allowed are 64 each");
        assertThatThrownBy(() -> sent(charges("p", LONGEST + "p")))
                .hasMessageContaining("policy of 1 and slot of 65 characters; allowed are 64 each");
    }
}
