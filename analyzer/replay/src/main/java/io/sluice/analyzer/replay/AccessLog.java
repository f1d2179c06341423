package io.sluice.analyzer.replay;

import io.sluice.settings.SourceSettings;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A log that can be read more than once, with the same lines each time. */
public interface AccessLog extends AutoCloseable {

    /** Name that the user gave. */
    String name();

    /** How it is read, where that is configured; {@code null} when it has to be found out from its lines. */
    default @Nullable SourceSettings source() {
        return null;
    }

    /** Its lines from the beginning. */
    Lines lines() throws IOException;

    /** Removes what was kept for reading it again. */
    @Override
    default void close() throws IOException {}
}
