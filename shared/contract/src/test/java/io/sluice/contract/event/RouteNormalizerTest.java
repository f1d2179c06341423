package io.sluice.contract.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.contract.json.Node;
import io.sluice.contract.json.Vectors;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RouteNormalizerTest {

    @ParameterizedTest
    @MethodSource("vectors")
    void aPathHasTheRouteOfTheGoldenVector(Node.Mapping vector) {
        List<String> templates = vector.value("templates") == null ? List.of() : Vectors.texts(vector, "templates");

        String route = new RouteNormalizer(templates).normalize(Vectors.text(vector, "path"));

        assertThat(route).isEqualTo(Vectors.text(vector, "route"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"orders", "", "/a//b", "/a?b", "/{id}x", "/*/a", "/a*", "/{a{b}}"})
    void whatIsNoTemplateIsRefused(String template) {
        assertThatThrownBy(() -> new RouteNormalizer(List.of(template)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + template + "'");
    }

    @Test
    void theFirstTemplateThatFitsIsTaken() {
        RouteNormalizer routes = new RouteNormalizer(List.of("/a/{x}", "/a/b"));

        assertThat(routes.normalize("/a/b")).isEqualTo("/a/{x}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"./", "/", ";x/", "x/../", "%2e/", "x/%2E%2e/", "%2F", "x%2f..%2F"})
    void aLongPathHidesNoRoute(String filler) {
        RouteNormalizer routes = new RouteNormalizer(List.of("/deep/{x}/*"));
        String hidden = filler.repeat(3_000);

        assertThat(routes.normalize("/" + hidden + "orders/17")).isEqualTo("/orders/{id}");
        assertThat(routes.normalize("http://shop.example/" + hidden + "orders/17"))
                .isEqualTo("/orders/{id}");
        assertThat(routes.normalize("/;" + "y".repeat(8_000) + "/" + hidden + "deep/1/2"))
                .isEqualTo("/deep/{x}/*");
        assertThat(routes.normalize("/orders/17/" + "x/".repeat(3_000) + "../".repeat(3_000)))
                .isEqualTo("/orders/{id}");
    }

    @Test
    void aTemplateMayBeDeeperThanARoute() {
        String deep = "/a/b/c/d/e/f/g/h/i/j/k/l/m/n";
        RouteNormalizer routes = new RouteNormalizer(List.of(deep + "/{x}"));

        assertThat(routes.normalize(deep + "/1")).isEqualTo(deep + "/{x}");
        assertThat(routes.normalize(deep + "/1/2")).isEqualTo("/a/b/c/d/e/f/g/h/i/j/k/l/*");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aRouteIsShortAndNormalizesToItselfWhateverAClientWrites(long seed) {
        Random random = new Random(seed);
        RouteNormalizer routes = new RouteNormalizer(List.of());
        for (int i = 0; i < 20_000; i++) {
            String path = hostile(random);

            String route = routes.normalize(path);

            assertThat(route).startsWith("/").hasSizeLessThanOrEqualTo(12 * 65 + 2);
            assertThat(routes.normalize(route)).isEqualTo(route);
        }
    }

    private static String hostile(Random random) {
        String alphabet = "//////....%%%22eFf36f0123456789abcxyzABC-_;?#@{}*:é\u0000\ud83d";
        StringBuilder path = new StringBuilder("/");
        int length = random.nextInt(random.nextInt(20) == 0 ? 4000 : 60);
        for (int i = 0; i < length; i++) {
            path.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return path.toString();
    }

    static Stream<Node.Mapping> vectors() {
        return Vectors.of("routes");
    }
}
