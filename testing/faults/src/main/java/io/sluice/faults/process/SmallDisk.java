package io.sluice.faults.process;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A disk of a few megabytes (a tmpfs) that can be filled up. Linux, as root. One thread. */
public final class SmallDisk implements AutoCloseable {
    private static final String BALLAST = "ballast";
    private static final int BLOCK = 64 * 1024;

    private final Path folder;

    private SmallDisk(Path folder) {
        this.folder = folder;
    }

    /** Mounts one, its root a folder that is made; empty where that is not allowed. */
    public static Optional<SmallDisk> in(Path folder, int megabytes) {
        try {
            Files.createDirectories(folder);
            return run("mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m", "none", folder.toString())
                    ? Optional.of(new SmallDisk(folder))
                    : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean run(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            boolean done = process.waitFor(2, TimeUnit.MINUTES) && process.exitValue() == 0;
            if (!done) {
                System.out.println(String.join(" ", command) + ": " + said);
            }
            return done;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Its root. */
    public Path folder() {
        return folder;
    }

    /** How many bytes are left. */
    public long left() {
        try {
            return Files.getFileStore(folder).getUsableSpace();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Takes all the room that is left, but for so many bytes. */
    public void fill(long but) {
        byte[] block = new byte[BLOCK];
        try (OutputStream out = Files.newOutputStream(folder.resolve(BALLAST))) {
            for (long take = left() - but; take > 0; take -= BLOCK) {
                out.write(block, 0, (int) Math.min(BLOCK, take));
            }
        } catch (IOException full) {
            // another process took the last of it
        }
    }

    /** Gives back what {@link #fill} took. */
    public void free() {
        try {
            Files.deleteIfExists(folder.resolve(BALLAST));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        run("umount", "-l", folder.toString());
    }
}
