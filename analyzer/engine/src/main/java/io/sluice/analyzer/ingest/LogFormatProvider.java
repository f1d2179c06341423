package io.sluice.analyzer.ingest;

import io.sluice.settings.SourceSettings;

/** Adds a log format of one's own: found with {@link java.util.ServiceLoader}, used by its name. */
public interface LogFormatProvider {

    /** Returns the value of {@code format} in the configuration; a built-in format can't be replaced. */
    String name();

    /**
     * A new reader, for one thread.
     *
     * @throws IllegalArgumentException when the source's settings don't fit, with a message for their author
     */
    LogFormat create(SourceSettings source);
}
