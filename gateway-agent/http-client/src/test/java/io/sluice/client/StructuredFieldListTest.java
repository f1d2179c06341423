package io.sluice.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.client.StructuredFieldList.Member;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.greenbytes.http.sfv.IntegerItem;
import org.greenbytes.http.sfv.ListElement;
import org.greenbytes.http.sfv.ParseException;
import org.greenbytes.http.sfv.Parser;
import org.greenbytes.http.sfv.StringItem;
import org.junit.jupiter.api.Test;

final class StructuredFieldListTest {
    private static final String[] PIECES = {
        "\"a\"",
        "\"b c\"",
        "\"\\\"\"",
        "\"\\x\"",
        "\"",
        ";r=1",
        ";r=0",
        ";t=30",
        "; t=-5",
        " ;t=5",
        ";t= 5",
        ";w",
        ";w=?1",
        ";w=?2",
        ";p=:YQ==:",
        ";p=:Y",
        ";q=1.5",
        ";q=1.2345",
        ";q=1.",
        ";q=999999999999999",
        ";q=9999999999999999",
        ";r=00",
        ";k=tok/en:x",
        ";k=*",
        ";K=1",
        ";*k.-_=1",
        ";s=\"x;y,z\"",
        ", ",
        ",",
        " , ",
        "\t,\t",
        " ",
        "\t",
        "token",
        "7",
        "(\"a\")",
        "\u00e9",
        ";=1",
        ";"
    };

    /** What the independent parser makes of it. */
    private static Optional<List<Member>> independently(String field) {
        List<Member> members = new ArrayList<>();
        try {
            for (ListElement<?> element : new Parser(field).parseList().get()) {
                if (!(element instanceof StringItem string)) {
                    return Optional.empty();
                }
                Map<String, Long> integers = new HashMap<>();
                string.getParams().forEach((key, value) -> {
                    if (value instanceof IntegerItem integer) {
                        integers.put(key, integer.getAsLong());
                    }
                });
                members.add(new Member(string.get(), integers));
            }
            return Optional.of(members);
        } catch (ParseException e) {
            return Optional.empty();
        }
    }

    @Test
    void readsAsAnIndependentParserDoes() {
        Random random = new Random(5);
        int read = 0;
        for (int i = 0; i < 50_000; i++) {
            StringBuilder field = new StringBuilder(random.nextInt(4) == 0 ? "" : "\"a\"");
            for (int pieces = random.nextInt(6); pieces > 0; pieces--) {
                field.append(PIECES[random.nextInt(PIECES.length)]);
            }
            Optional<List<Member>> ours = StructuredFieldList.parse(field.toString());
            assertThat(ours).as("%s", field).isEqualTo(independently(field.toString()));
            read += ours.isPresent() ? 1 : 0;
        }
        assertThat(read).isBetween(5_000, 45_000);
    }

    @Test
    void datesAndDisplayStringsAreReadOver() {
        assertThat(StructuredFieldList.parse("\"a\";d=@1659578233;s=%\"f%c3%bc\";r=1"))
                .contains(List.of(new Member("a", Map.of("r", 1L))));
        assertThat(StructuredFieldList.parse("\"a\";s=%\"f%C3\"")).isEmpty();
        assertThat(StructuredFieldList.parse("\"a\";d=@1.5")).isEmpty();
    }
}
