package io.sluice.examples.aigateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class CompletionTest {

    /** The README's request that can never pass its limit of 6,000 tokens a minute. */
    @Test
    void moreTokensThanTheLimitAllows_isAnOrdinaryRequest() throws IOException {
        assertThat(parse("{\"prompt\":\"to be\",\"max_tokens\":10000}").mostTokens())
                .isEqualTo(10_002);
    }

    @Test
    void maxTokensOutOfRange_isRefusedWithTheRange() {
        assertThatThrownBy(() -> parse("{\"prompt\":\"to be\",\"max_tokens\":0}"))
                .hasMessage("max_tokens: found 0, allowed is 1 to 32768");
        assertThatThrownBy(() -> parse("{\"max_tokens\":7}")).hasMessage("prompt: missing or empty");
    }

    private static Completion parse(String body) throws IOException {
        return Completion.parse(body.getBytes(StandardCharsets.UTF_8));
    }
}
