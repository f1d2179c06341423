package io.sluice.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.contract.json.JsonNodes;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.json.Node;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class YamlNodesTest {

    @Test
    void everyNodeKnowsItsLine() throws Exception {
        Node.Mapping root = (Node.Mapping) read("a: 1\n\nb:\n  - x\n  - y\n");

        assertThat(root.entries().get(1).place()).hasToString("test.yml:3");
        assertThat(((Node.Listing) root.entries().get(1).value()).items().get(1).place())
                .hasToString("test.yml:5");
    }

    @Test
    void yamlAndJsonGiveTheSameTree() throws Exception {
        String json = "{\"a\":1,\"b\":[true,null,\"x\",1.5],\"c\":{\"d\":\"40%\"}}";

        assertThat(JsonNodes.write(read("a: 1\nb: [true, ~, x, 1.5]\nc: {d: 40%}\n")))
                .isEqualTo(JsonNodes.write(JsonNodes.read(json.getBytes(StandardCharsets.UTF_8), "test.json")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a: 0x1f", "a: 017", "a: .inf", "a: +5", "a: .5"})
    void numbersThatJsonDoesNotKnowStayText(String yaml) throws Exception {
        Node.Scalar value =
                (Node.Scalar) ((Node.Mapping) read(yaml)).entries().get(0).value();

        assertThat(value.type()).isEqualTo(Node.Scalar.Type.TEXT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a: [1",
                "a: 1\na: 2",
                "? [x]\n: 1",
                "a: &a [1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c]\n"
                        + "e: &e [*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e,*e,*e,*e,*e,*e]",
                "a: &a [*a]",
                "\tx: 1",
                "a: 1\n---\nb: 2"
            })
    void whatIsNoPlainDocumentIsRefusedWithItsPlace(String yaml) {
        assertThatThrownBy(() -> read(yaml)).isInstanceOf(MalformedRecord.class).hasMessageStartingWith("test.yml");
    }

    @Test
    void depthIsBounded() {
        assertThatThrownBy(() -> read("[".repeat(5000) + "]".repeat(5000)))
                .isInstanceOf(MalformedRecord.class)
                .hasMessageStartingWith("test.yml");
    }

    @Test
    void aTagNeverMakesAnObject() throws Exception {
        Node.Mapping root = (Node.Mapping) read("a: !!javax.script.ScriptEngineManager [x]");

        assertThat(root.entries().get(0).value()).isInstanceOf(Node.Listing.class);
    }

    @Test
    void bytesThatAreNotUtf8AreRefused() {
        assertThatThrownBy(() -> YamlNodes.read(new byte[] {'a', ':', ' ', (byte) 0xff, (byte) 0xfe}, "test.yml"))
                .isInstanceOf(MalformedRecord.class);
    }

    private static Node read(String yaml) throws MalformedRecord {
        return YamlNodes.read(yaml.getBytes(StandardCharsets.UTF_8), "test.yml");
    }
}
