package io.sluice.http.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What some files hold, loaded again after one of them has changed; what cannot be loaded changes nothing. Thread-safe. */
final class Reloaded<T> {
    private static final Logger log = LoggerFactory.getLogger(Reloaded.class);
    private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final List<Path> files;
    private final Loader<T> loader;
    private final LongSupplier nanos;
    private volatile T loaded;
    private volatile long looked;
    private List<String> stamps;

    /** Loads the files. */
    @FunctionalInterface
    interface Loader<T> {
        /** @throws IOException naming the file and what is wrong with it */
        T load() throws IOException;
    }

    /** @throws IOException when they cannot be loaded the first time */
    Reloaded(List<Path> files, Loader<T> loader, LongSupplier nanos) throws IOException {
        this.files = files;
        this.loader = loader;
        this.nanos = nanos;
        stamps = stamps();
        loaded = loader.load();
        looked = nanos.getAsLong();
    }

    /** Returns what was loaded last; looks at the files once a second at most. */
    T get() {
        long now = nanos.getAsLong();
        if (now - looked >= EVERY_NANOS) {
            reload(now);
        }
        return loaded;
    }

    private synchronized void reload(long now) {
        if (now - looked < EVERY_NANOS) {
            return;
        }
        looked = now;
        List<String> newest = stamps();
        if (newest.equals(stamps)) {
            return;
        }
        try {
            loaded = loader.load();
            log.info("read {} again", files);
        } catch (IOException e) {
            log.warn("{}; the files of before stay in use", e.getMessage());
        }
        stamps = newest;
    }

    private List<String> stamps() {
        return files.stream().map(Reloaded::stamp).toList();
    }

    private static String stamp(Path file) {
        try {
            // a mounted secret is a link to a folder that is exchanged
            Path real = file.toRealPath();
            return real + " " + Files.getLastModifiedTime(real) + " " + Files.size(real);
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
