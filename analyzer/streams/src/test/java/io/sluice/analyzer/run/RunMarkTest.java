package io.sluice.analyzer.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunMarkTest {
    @TempDir
    Path state;

    private Path application;
    private Path task;
    private Path identity;

    @BeforeEach
    void givenTheStateOfARun() throws IOException {
        application = state.resolve("sluice.sluice-analyzer");
        task = Files.createDirectories(application.resolve("1_3"));
        Files.writeString(task.resolve("sst"), "sums");
        identity = Files.writeString(application.resolve("kafka-streams-process-metadata"), "who it is");
    }

    private RunMark mark() {
        return new RunMark(state, application);
    }

    @Test
    void whatAKilledOneLeftIsDeletedUnderExactlyOnceButNotWhoItIs() {
        mark().begin(true);

        assertThat(mark().begin(true)).containsExactly(task);
        assertThat(task).doesNotExist();
        assertThat(identity).exists();
    }

    @Test
    void whatOneLeftThatEndedInOrderIsKept() {
        mark().begin(true);
        mark().end();

        assertThat(mark().begin(true)).isEmpty();
        assertThat(task.resolve("sst")).exists();
    }

    @Test
    void atLeastOnceItIsKept() {
        mark().begin(false);

        assertThat(mark().begin(false)).isEmpty();
        assertThat(task.resolve("sst")).exists();
    }

    @Test
    void aKillBeforeTheChangeToExactlyOnceIsNoticed() {
        mark().begin(false);

        assertThat(mark().begin(true)).containsExactly(task);
    }

    @Test
    void theFirstRunOfAllHasNothingToDelete() {
        RunMark first = new RunMark(state.resolve("new"), state.resolve("new").resolve("application"));

        assertThat(first.begin(true)).isEmpty();
        assertThat(first.begin(true)).isEmpty();
    }
}
