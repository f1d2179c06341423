package io.sluice.contract.lock;

import io.sluice.contract.json.JsonObjectReader;
import io.sluice.contract.json.MalformedRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A lock's fields while they are read, in whatever order they come. */
final class GateLockFields {
    private @Nullable String policy;
    private @Nullable List<String> subject;
    private @Nullable List<String> per;
    private @Nullable Mode mode;
    private double rate;
    private double ratio;
    private @Nullable Long ttlMillis;
    private @Nullable Long since;
    private @Nullable Long until;
    private int level = 1;
    private boolean shadow;
    private boolean guarded;
    private @Nullable Evidence evidence;
    private @Nullable Version version;

    private GateLockFields() {}

    static GateLock read(JsonObjectReader object) throws MalformedRecord {
        GateLockFields fields = new GateLockFields();
        while (object.next()) {
            fields.take(object);
        }
        return fields.lock(object);
    }

    private void take(JsonObjectReader object) throws MalformedRecord {
        switch (object.field()) {
            case "policy" -> policy = object.name(64);
            case "subject" -> subject = object.texts();
            case "per" -> per = object.texts();
            case "mode" -> mode = Mode.spelt(object.text());
            case "rate" -> rate = object.number(0, Double.MAX_VALUE);
            case "ratio" -> ratio = object.number(0, 1);
            case "ttlMillis" -> ttlMillis = object.whole(0, Long.MAX_VALUE);
            case "since" -> since = object.whole(0, Long.MAX_VALUE);
            case "until" -> until = object.whole(0, Long.MAX_VALUE);
            case "level" -> level = (int) object.whole(0, Integer.MAX_VALUE);
            case "shadow" -> shadow = object.truth();
            case "guarded" -> guarded = object.truth();
            case "evidence" -> evidence = EvidenceJson.read(object.object());
            case "version" -> version = GateLockJson.version(object.object());
            default -> object.skip();
        }
    }

    private GateLock lock(JsonObjectReader object) throws MalformedRecord {
        return new GateLock(
                object.required(policy, "policy"),
                object.required(subject, "subject"),
                per,
                object.required(mode, "mode"),
                rate,
                ratio,
                object.required(ttlMillis, "ttlMillis"),
                object.required(since, "since"),
                object.required(until, "until"),
                level,
                shadow,
                guarded,
                evidence,
                object.required(version, "version"));
    }
}
