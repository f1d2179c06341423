package io.sluice.contract.lock;

import java.util.ArrayList;
import java.util.List;

/** The composite keys of the gate-locks topic. A policy's name has no {@code $}, so a heartbeat's key is never a lock's. */
public final class GateKeys {
    private static final String HEARTBEAT = "$analyzer";

    private GateKeys() {}

    /** The key of a subject's lock, and of its usage without the revision. */
    public static List<String> key(String policy, List<String> subject) {
        List<String> key = new ArrayList<>(subject.size() + 1);
        key.add(policy);
        key.addAll(subject);
        return List.copyOf(key);
    }

    /** The key of a decide task's heartbeat. */
    public static List<String> heartbeat(String task) {
        return List.of(HEARTBEAT, task);
    }

    public static boolean isHeartbeat(List<String> key) {
        return key.size() == 2 && key.get(0).equals(HEARTBEAT);
    }

    /** The key that a record must stand under: one that stands under another was delivered or forged wrongly. */
    public static List<String> of(GateRecord record) {
        return record instanceof GateLock lock
                ? key(lock.policy(), lock.subject())
                : heartbeat(record.version().task());
    }
}
