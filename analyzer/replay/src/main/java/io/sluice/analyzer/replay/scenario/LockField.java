package io.sluice.analyzer.replay.scenario;

import io.sluice.analyzer.replay.ReplayLock;
import io.sluice.contract.json.JsonObjectReader;
import io.sluice.contract.json.MalformedRecord;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Expected fields of a lock, by the names of the replay report. */
enum LockField {
    POLICY,
    SUBJECT,
    AT,
    UNTIL,
    MODE,
    DETECTOR,
    OBSERVED,
    THRESHOLD,
    GUARDED,
    SHADOW,
    RELEASED;

    /** People write 0.333333 for a third. */
    private static final double TOLERANCE = 1e-6;

    String spelling() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The field of this name, or {@code null}. */
    static @Nullable LockField spelt(String name) {
        return Arrays.stream(values())
                .filter(field -> field.spelling().equals(name))
                .findFirst()
                .orElse(null);
    }

    /** All names, for messages. */
    static String spellings() {
        return Arrays.stream(values()).map(LockField::spelling).collect(Collectors.joining(", "));
    }

    /** The value that the reader stands at. */
    Object read(JsonObjectReader from) throws MalformedRecord {
        return switch (this) {
            case POLICY, MODE, DETECTOR -> from.text();
            case SUBJECT -> from.texts();
            case AT, UNTIL -> from.whole(0, Long.MAX_VALUE);
            case OBSERVED, THRESHOLD -> from.number(0, Double.MAX_VALUE);
            case GUARDED, SHADOW, RELEASED -> from.truth();
        };
    }

    /** A lock's own value. */
    Object of(ReplayLock lock) {
        return switch (this) {
            case POLICY -> lock.policy();
            case SUBJECT -> lock.subject();
            case AT -> lock.at();
            case UNTIL -> lock.until();
            case MODE -> lock.mode();
            case DETECTOR -> lock.evidence().detector();
            case OBSERVED -> lock.evidence().observed();
            case THRESHOLD -> lock.evidence().threshold();
            case GUARDED -> lock.guarded();
            case SHADOW -> lock.shadow();
            case RELEASED -> lock.released();
        };
    }

    /** Returns whether a lock is as expected here; numbers need to agree to six digits. */
    boolean agrees(Object expected, ReplayLock lock) {
        Object found = of(lock);
        if (expected instanceof Double wanted && found instanceof Double got) {
            return Math.abs(wanted - got) <= TOLERANCE * Math.max(Math.abs(wanted), Math.abs(got));
        }
        return expected.equals(found);
    }
}
