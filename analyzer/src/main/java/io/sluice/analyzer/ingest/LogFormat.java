package io.sluice.analyzer.ingest;

import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.json.MalformedRecord;

/** How one source's records are read. Confined to one thread: make one for each. Keeps nothing of what it is handed. */
public interface LogFormat {

    /**
     * The event that a record holds, with the time that the record itself tells.
     *
     * @throws MalformedRecord naming what is wrong and never repeating what was found; no other exception, whatever the
     *     bytes are
     */
    RequestEvent read(byte[] record) throws MalformedRecord;

    /** The strongest identity this source can give; callers of a {@link Identity#CLAIMED} source are never locked. */
    Identity identity();
}
