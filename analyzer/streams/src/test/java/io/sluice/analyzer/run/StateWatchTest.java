package io.sluice.analyzer.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateWatchTest {
    @TempDir
    Path folder;

    private final List<String> lines = new ArrayList<>();
    private Path state;
    private Path application;
    private InstanceLock lock;
    private StateWatch watch;

    @BeforeEach
    void start() throws Exception {
        state = folder.resolve("a");
        application = Files.createDirectories(state.resolve("sluice.analyzer"));
        lock = InstanceLock.take(state, "a");
        watch = new StateWatch(lock, application, lines::add);
    }

    @AfterEach
    void stop() {
        watch.close();
        lock.close();
    }

    @Test
    void look_directoryInPlace_isQuiet() {
        watch.look();

        assertThat(lines).isEmpty();
    }

    /** As on a file system over a network that does not answer for a moment. */
    @Test
    void look_directoryThatCannotBeRead_isQuiet() throws Exception {
        Files.delete(application);
        Files.createSymbolicLink(application, application);

        watch.look();

        assertThat(Files.exists(application)).isFalse();
        assertThat(lines).isEmpty();
    }

    @Test
    void look_directoryDeleted_isReportedOnce() {
        CorruptState.wipe(state);

        watch.look();
        watch.look();

        assertThat(lines).singleElement().asString().startsWith("analyzer.state-dir: " + state + " was deleted");
    }

    @Test
    void look_directoryReplacedByAnotherOne_isReported() throws Exception {
        // the former lock file stays on disk under another name, so that its identity is not given to the new one
        Files.move(state, folder.resolve("before"));
        Files.createDirectories(application);
        Files.createFile(state.resolve("sluice.lock"));

        watch.look();

        assertThat(lines).hasSize(1);
    }

    @Test
    void look_onlyTheTasksDeleted_isReported() {
        CorruptState.wipe(application);

        watch.look();

        assertThat(lines).hasSize(1);
    }
}
