package io.sluice.contract.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sluice.contract.event.Identity;
import io.sluice.contract.json.Node;
import io.sluice.contract.json.Vectors;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class AttributeTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "caller",
                "ip",
                "ip/1",
                "ip/24",
                "ip/32",
                "ip/33",
                "ip/128",
                "service",
                "route",
                "method",
                "labels.plan",
                "labels.a.b-c_d",
                "identity",
                "status"
            })
    void anAttributeIsWrittenAsItWasRead(String spelling) {
        assertThat(Attribute.parse(spelling)).hasToString(spelling);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Caller",
                "ip/",
                "ip/0",
                "ip/129",
                "ip/x",
                "ip/024x",
                "labels",
                "labels.",
                "label.x",
                "labels.a b",
                "LABEL",
                "label",
                "bytes",
                "millis"
            })
    void anythingElseIsRefused(String spelling) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Attribute.parse(spelling))
                .withMessageStartingWith("allowed: ");
    }

    @Test
    void onlyTheStatusIsUnknownWhenARequestIsChecked() {
        assertThat(Attribute.parse("status").request()).isFalse();
        assertThat(Attribute.parse("ip/24").request()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void aRequestHasTheSubjectOfTheGoldenVector(Node.Mapping vector) {
        List<Attribute> per =
                Vectors.texts(vector, "per").stream().map(Attribute::parse).toList();

        List<String> subject = Subjects.of(per, request(vector));

        boolean counted = vector.value("subject") instanceof Node.Listing;
        assertThat(subject).isEqualTo(counted ? Vectors.texts(vector, "subject") : null);
    }

    private static Request request(Node.Mapping vector) {
        Node.Mapping request = (Node.Mapping) Objects.requireNonNull(vector.value("request"));
        String plan = Vectors.optional(request, "plan");
        return new Request(
                Vectors.text(request, "caller"),
                Vectors.optional(request, "ip"),
                Vectors.optional(request, "service"),
                Vectors.optional(request, "route"),
                Vectors.optional(request, "method"),
                plan == null ? Map.of() : Map.of("plan", plan),
                Identity.valueOf(Vectors.text(request, "identity").toUpperCase(Locale.ROOT)));
    }

    static Stream<Node.Mapping> vectors() {
        return Vectors.of("subjects");
    }
}
