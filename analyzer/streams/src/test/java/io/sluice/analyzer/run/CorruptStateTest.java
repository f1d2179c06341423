package io.sluice.analyzer.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.processor.TaskId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.RocksDBException;

class CorruptStateTest {
    private static final Path DIRECTORY = Path.of("/data/state/a/sluice.sluice-analyzer");

    @Test
    void theTaskIsToldFromTheException() {
        var failure =
                new StreamsException("no", new ProcessorStateException("Error opening store x"), new TaskId(1, 3));

        assertThat(CorruptState.taskDirectory(failure, DIRECTORY)).contains(DIRECTORY.resolve("1_3"));
    }

    @Test
    void theTaskIsToldFromThePathInTheMessage() {
        var failure = new ProcessorStateException(
                "Error opening store leases at location /data/state/a/sluice.sluice-analyzer/1_12/rocksdb/leases");

        assertThat(CorruptState.taskDirectory(failure, DIRECTORY)).contains(DIRECTORY.resolve("1_12"));
    }

    @Test
    void nothingIsWipedForOtherFailures() {
        assertThat(CorruptState.taskDirectory(new StreamsException("at /x/0_1/y"), DIRECTORY))
                .isEmpty();
        assertThat(CorruptState.taskDirectory(new ProcessorStateException("somewhere"), DIRECTORY))
                .isEmpty();
    }

    @Test
    void taskDirectory_timeoutWhileFlushing_wipesNothing() {
        var failure = new ProcessorStateException(
                "stream-thread [a-1] task [1_3] Failed to flush cache of store decide-combiner",
                new TimeoutException("Topic sluice.gate-locks not present in metadata after 60000 ms."));

        assertThat(CorruptState.taskDirectory(failure, DIRECTORY)).isEmpty();
        assertThat(DeathNote.of(failure, DIRECTORY, "a")).doesNotContain("broken");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "While open a file for appending: /data/1_3/rocksdb/leases/000012.sst: Too many open files",
                "While mkdir if missing: /data/1_3/rocksdb/leases: Permission denied",
                "While open a file for appending: /data/1_3/rocksdb/leases/LOG: Read-only file system",
                "While lock file: /data/1_3/rocksdb/leases/LOCK: Resource temporarily unavailable",
                "While pread: /data/1_3/rocksdb/leases/000012.sst: Cannot allocate memory"
            })
    void taskDirectory_reasonOutsideTheFiles_wipesNothing(String reason) {
        var failure = new ProcessorStateException("Error opening store leases", new RocksDBException(reason));

        assertThat(CorruptState.taskDirectory(failure, DIRECTORY)).isEmpty();
    }

    @Test
    void taskDirectory_failureOfAnotherTaskDuringACommit_isTheTaskThatFailed() {
        var state = new ProcessorStateException("Error while putting key into store leases");
        state.setTaskId(new TaskId(1, 3));
        var commit = new StreamsException("a flush before a commit failed", state, new TaskId(1, 0));

        assertThat(CorruptState.taskDirectory(commit, DIRECTORY)).contains(DIRECTORY.resolve("1_3"));
    }

    @ParameterizedTest
    @CsvSource({
        "While appending to file: /data/1_3/000012.sst: No space left on device, true",
        "Disk quota exceeded, true",
        "Corruption: block checksum mismatch, false"
    })
    void aFullDiskBreaksNothing(String message, boolean full) {
        var failure = new StreamsException(
                "no", new ProcessorStateException("flush", new IllegalStateException(message)), new TaskId(1, 3));

        assertThat(CorruptState.diskFull(failure)).isEqualTo(full);
        assertThat(CorruptState.taskDirectory(failure, DIRECTORY).isEmpty()).isEqualTo(full);
    }

    @Test
    void wipingDeletesTheDirectoryAndNothingBesideIt(@TempDir Path root) throws IOException {
        Files.createDirectories(root.resolve("0_1/rocksdb/store"));
        Files.writeString(root.resolve("0_1/rocksdb/store/CURRENT"), "x");
        Files.createDirectories(root.resolve("0_2"));

        CorruptState.wipe(root.resolve("0_1"));

        assertThat(root.resolve("0_1")).doesNotExist();
        Files.writeString(root.resolve("0_1"), "a file where a directory belongs");
        CorruptState.wipe(root.resolve("0_1"));
        assertThat(root.resolve("0_1")).doesNotExist();
        assertThat(root.resolve("0_2")).exists();
    }
}
