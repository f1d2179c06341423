package io.sluice.analyzer.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TableTest {
    @Test
    void print_wideAndCombiningCharacters_keepTheColumnsAligned() {
        Table table = new Table(List.of("CALLER", "BY"));
        table.row(List.of("日本語", "caller"));
        table.row(List.of("ok 🚀", "caller"));
        table.row(List.of("cafe\u0301", "caller"));
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);

        table.print(out);

        assertThat(text.toString().lines())
                .containsExactly("CALLER  BY", "日本語  caller", "ok 🚀   caller", "cafe\u0301    caller");
    }

    @ParameterizedTest
    @CsvSource({
        "'', 0",
        "acme, 4",
        "Zoë, 3",
        "日本, 4",
        "한국, 4",
        "\u1112\u1161\u11ab, 2",
        "ｆｕｌｌ, 8",
        "👍, 2",
        "👩\u200d💻, 4",
        "⚡, 2",
        "☃, 1",
        "привет, 6",
        "e\u0301\u0302, 1",
        "\u4dc0, 1",
        "\u2614, 2",
        "\u2615, 2",
        "\u2616, 1"
    })
    void displayWidth_isThatOfATerminal(String text, int columns) {
        assertThat(DisplayWidth.of(text)).isEqualTo(columns);
    }
}
