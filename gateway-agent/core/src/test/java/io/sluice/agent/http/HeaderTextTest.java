package io.sluice.agent.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderTextTest {
    @ParameterizedTest
    @ValueSource(strings = {"", "acme", "Zoë", "Zoë €", "名", "\ud83d\ude00"})
    void utf8_isReadWhateverTheServerMadeOfItsBytes(String text) {
        String bytes = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);

        assertThat(HeaderText.utf8(bytes)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"名", "€ë"})
    void textThatIsNotOfBytes_isLeftAlone(String text) {
        assertThat(HeaderText.utf8(text)).isSameAs(text);
    }
}
