package io.sluice.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChildTest {

    @Test
    void aChildTellsItsFigures() throws Exception {
        assertThat(Child.run(Telling.class, List.of(), List.of("12.5"), Duration.ofSeconds(60)))
                .containsOnlyKeys("eventsPerSecond")
                .containsEntry("eventsPerSecond", 12.5);
    }

    @Test
    void aChildThatFailsIsAnErrorWithItsLastLines() {
        assertThatThrownBy(() -> Child.run(Telling.class, List.of(), List.of("nonsense"), Duration.ofSeconds(60)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("NumberFormatException")
                .hasMessageContaining("nonsense");
    }

    @Test
    void aChildThatHangsIsEnded() {
        assertThatThrownBy(() -> Child.run(Hanging.class, List.of(), List.of(), Duration.ofMillis(500)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("0 figures");
    }

    static final class Telling {
        public static void main(String... arguments) {
            Child.endWithParent();
            Child.tell("eventsPerSecond", Double.parseDouble(arguments[0]));
        }
    }

    static final class Hanging {
        public static void main(String... arguments) throws Exception {
            Thread.currentThread().join();
        }
    }
}
