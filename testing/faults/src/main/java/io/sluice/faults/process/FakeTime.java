package io.sluice.faults.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A wall clock that can be stepped while a process runs, by libfaketime. The monotonic clock stays true, as it does when an
 * administrator sets the clock.
 */
public final class FakeTime {
    private static final List<Path> LIBRARIES = List.of(
            Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"),
            Path.of("/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1"),
            Path.of("/usr/lib64/faketime/libfaketimeMT.so.1"));

    private static final int CACHE_SECONDS = 1;
    /** It counts in whole seconds. */
    private static final long FELT_NANOS = TimeUnit.SECONDS.toNanos(CACHE_SECONDS + 1) + 100_000_000;

    private final Path library;
    private final Path file;

    private FakeTime(Path library, Path file) {
        this.library = library;
        this.file = file;
    }

    /** A clock of its own; empty where libfaketime is not installed. */
    public static Optional<FakeTime> in(Path folder) {
        return LIBRARIES.stream().filter(Files::exists).findFirst().map(library -> {
            FakeTime time = new FakeTime(library, folder.resolve("faketime"));
            time.write(Duration.ZERO);
            return time;
        });
    }

    /** From now on the clock differs from the true one by so much: processes that use it see it when this returns. */
    public void step(Duration by) {
        write(by);
        long felt = System.nanoTime() + FELT_NANOS;
        while (System.nanoTime() < felt) {
            LockSupport.parkNanos(felt - System.nanoTime());
        }
    }

    private void write(Duration by) {
        try {
            Files.writeString(file, (by.isNegative() ? "" : "+") + by.toSeconds() + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** For the process that is to live by it. */
    public Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD",
                library.toString(),
                "FAKETIME_TIMESTAMP_FILE",
                file.toString(),
                // without a cache each look at the clock reads the file: 25 microseconds, and Kafka looks often
                "FAKETIME_CACHE_DURATION",
                Integer.toString(CACHE_SECONDS),
                // what is meant to mend waiting by the monotonic clock makes every wait end at once
                "FAKETIME_FORCE_MONOTONIC_FIX",
                "0",
                "FAKETIME_DONT_FAKE_MONOTONIC",
                "1");
    }
}
