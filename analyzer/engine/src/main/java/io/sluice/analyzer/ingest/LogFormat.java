package io.sluice.analyzer.ingest;

import io.sluice.contract.event.Field;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.json.MalformedRecord;
import java.util.Set;

/** How one source's records are read. Confined to one thread: make one for each. Keeps nothing of what it is handed. */
public interface LogFormat {

    /**
     * The event that a record holds, with the time in the record itself.
     *
     * @throws MalformedRecord naming what is wrong and never repeating what was found; no other exception, whatever the
     *     bytes are
     */
    RequestEvent read(byte[] record) throws MalformedRecord;

    /**
     * What will be looked at from now on, beyond time, caller, status, outcome, count and identity. A format may leave out the
     * rest, and need not look whether it is well-formed; it need not make use of this.
     */
    default void wanting(Set<Field> fields) {}

    /** The strongest identity this source can give; callers of a {@link Identity#CLAIMED} source are never locked. */
    Identity identity();
}
