package io.sluice.benchmarks.growth;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.benchmarks.measure.Scale;
import io.sluice.contract.policy.Policy;
import io.sluice.settings.PolicyFile;
import io.sluice.testing.Seeds;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AxesTest {
    private static final Map<Scale, List<Point>> ALL = new EnumMap<>(Scale.class);

    @TempDir
    private Path folder;

    /** In the default build the larger one, which has all points of the other. */
    static Stream<Scale> scales() {
        return Stream.of(Scale.FULL, Scale.QUICK).limit(Seeds.of(1, 2));
    }

    @Tag(Seeds.TAG)
    @ParameterizedTest
    @MethodSource("scales")
    void everyPointHasAPolicyFileThatIsTaken(Scale scale) throws Exception {
        for (Point point : all(scale)) {
            assertThat(policies(point.policies())).as(point.name()).isNotEmpty();
        }
    }

    @Tag(Seeds.TAG)
    @ParameterizedTest
    @MethodSource("scales")
    void noPointIsMeasuredTwice(Scale scale) {
        assertThat(all(scale)).extracting(Point::name).doesNotHaveDuplicates();
    }

    @Test
    void theAxesReachAsFarAsTheyPromise() throws Exception {
        Axes axes = new Axes(Scale.FULL);

        assertThat(axes.windows()).extracting(AxesTest.this::window).containsExactly(10_000L, 60_000L, 86_400_000L);
        assertThat(axes.filled())
                .allSatisfy(point -> assertThat(point.log().span()).isEqualTo(2 * window(point)));
        assertThat(axes.panes())
                .extracting(point -> first(point).window().panes())
                .containsExactly(10, 50, 600);
        assertThat(policies(last(axes.counting()).policies())).hasSize(20);
        assertThat(policies(last(axes.forRoutes()).policies())).hasSize(20);
        assertThat(axes.partitions())
                .extracting(point -> point.log().partitions())
                .containsExactly(1, 4, 16);
    }

    @Test
    void policiesForRoutesCountOneRouteEach() throws Exception {
        List<Policy> policies = policies(GrowingPolicies.forRoutes(20));

        assertThat(policies).extracting(Policy::revision).doesNotHaveDuplicates();
        assertThat(policies.get(0).match().attributes()).isEmpty();
        assertThat(policies.subList(1, 20))
                .allSatisfy(policy -> assertThat(policy.match().attributes()).hasSize(2));
    }

    /** The table of a million callers is made once. */
    private static List<Point> all(Scale scale) {
        return ALL.computeIfAbsent(scale, it -> List.copyOf(new Axes(it).all()));
    }

    private static Point last(List<Point> points) {
        return points.get(points.size() - 1);
    }

    private long window(Point point) {
        return first(point).window().millis();
    }

    private Policy first(Point point) {
        try {
            return policies(point.policies()).get(0);
        } catch (Exception e) {
            throw new AssertionError(point.name(), e);
        }
    }

    private List<Policy> policies(String text) throws Exception {
        return PolicyFile.read(Files.writeString(folder.resolve("policies.yml"), text))
                .policies();
    }
}
