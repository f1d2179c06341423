package io.sluice.settings;

import java.nio.file.Path;

/**
 * How the analyzer runs. Times are in milliseconds.
 *
 * @param instance a stable name, unique among the analyzers of one cluster
 * @param stateDir its own directory, kept over restarts
 * @param exactlyOnce whether counts are kept exact over an unclean end too, at the price of slower reactions
 * @param tick how often heavy partials leave
 * @param commit how often everything leaves
 * @param lateness events older than this are not metered
 * @param skew events newer than the broker's time by more than this are taken for now
 * @param backlog nothing opens on events older than this
 * @param maxLease the longest lease of a lock
 * @param rocksdbMemory bytes that RocksDB may use for caches and write buffers together
 */
public record AnalyzerSettings(
        String instance,
        Path stateDir,
        int threads,
        int standbys,
        boolean exactlyOnce,
        long tick,
        long commit,
        long lateness,
        long skew,
        long backlog,
        long maxLease,
        long rocksdbMemory) {}
