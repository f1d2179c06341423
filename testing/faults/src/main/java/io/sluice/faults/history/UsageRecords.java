package io.sluice.faults.history;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.usage.UsageBundle;
import io.sluice.contract.usage.UsageCodec;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsageRecord;
import java.util.function.BiConsumer;

/** What stands in a record of the usage topic: a usage record, or a bundle of them. */
public final class UsageRecords {
    private UsageRecords() {}

    /**
     * Hands over each of them, in their order.
     *
     * @throws MalformedRecord when one can't be read; those behind it are not handed over
     */
    public static void read(byte[] key, byte[] value, BiConsumer<UsageKey, UsageRecord> to) throws MalformedRecord {
        if (UsageBundle.is(value)) {
            UsageBundle.read(value, (each, its) -> to.accept(UsageKey.read(each), UsageCodec.read(its)));
        } else {
            to.accept(UsageKey.read(key), UsageCodec.read(value));
        }
    }
}
