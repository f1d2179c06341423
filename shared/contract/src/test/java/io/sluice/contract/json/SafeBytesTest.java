package io.sluice.contract.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class SafeBytesTest {
    @Test
    void textStaysTextAndWhatIsNotPrintableIsSpeltOut() {
        assertThat(SafeBytes.text("grüße \u001b[2J \\ \r\n \u202e".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo("grüße \\x1b[2J \\\\ \\x0d\\x0a \\u{202e}");
    }

    @Test
    void whatIsNoUtf8IsSpeltOutByteForByte() {
        assertThat(SafeBytes.text(new byte[] {'a', (byte) 0xff, 0, 'b', (byte) 0xc3}))
                .isEqualTo("a\\xff\\x00b\\xc3");
    }
}
