package io.sluice.analyzer.replay;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** One reading of a log, from its beginning to its end. Confined to one thread. */
public interface Lines extends AutoCloseable {

    /**
     * The next line, or {@code null} at the end.
     *
     * @throws IOException when the log can't be read on; the message is for the user
     */
    byte @Nullable [] next() throws IOException;

    /** Where the line that was read last stands: a line's number in a file, from 1; a record's offset in a topic. */
    long number();

    @Override
    void close() throws IOException;
}
