package io.sluice.contract.operator;

import io.sluice.contract.json.JsonObjectReader;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.lock.Mode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The fields of an operator record while they are read, in whatever order they come. */
final class OperatorFields {
    private @Nullable String policy;
    private @Nullable List<String> subject;
    private @Nullable List<String> per;
    private @Nullable Mode mode;
    private double rate;
    private @Nullable String agent;
    private @Nullable Boolean enforce;
    private @Nullable Long ttlMillis;
    private @Nullable String author;
    private @Nullable String reason;
    private long at;

    private OperatorFields() {}

    static OperatorRecord read(String type, byte[] value) throws MalformedRecord {
        try (JsonObjectReader object = JsonObjectReader.of(value, "operator record")) {
            OperatorFields fields = new OperatorFields();
            while (object.next()) {
                fields.take(object);
            }
            return fields.record(type, object);
        }
    }

    private void take(JsonObjectReader object) throws MalformedRecord {
        switch (object.field()) {
            case "policy" -> policy = object.name(64);
            case "subject" -> subject = object.texts();
            case "per" -> per = object.texts();
            case "mode" -> mode = mode(object);
            case "rate" -> rate = object.number(0, Double.MAX_VALUE);
            case "agent" -> agent = object.textOrNull();
            case "enforce" -> enforce = object.truth();
            case "ttlMillis" -> ttlMillis = object.whole(0, Long.MAX_VALUE);
            case "author" -> author = object.text();
            case "reason" -> reason = object.text();
            case "at" -> at = object.whole(0, Long.MAX_VALUE);
            default -> object.skip();
        }
    }

    private static Mode mode(JsonObjectReader object) throws MalformedRecord {
        Mode mode = Mode.spelt(object.text());
        if (mode == Mode.OPEN) {
            throw object.wrong("block, throttle or shadow");
        }
        return mode;
    }

    private OperatorRecord record(String type, JsonObjectReader object) throws MalformedRecord {
        long ttl = object.required(ttlMillis, "ttlMillis");
        String by = object.required(author, "author");
        String why = object.required(reason, "reason");
        return switch (type) {
            case OperatorJson.LOCK ->
                new OperatorRecord.Lock(
                        object.required(policy, "policy"),
                        object.required(subject, "subject"),
                        per,
                        object.required(mode, "mode"),
                        rate,
                        ttl,
                        by,
                        why,
                        at);
            case OperatorJson.RELEASE ->
                new OperatorRecord.Release(
                        object.required(policy, "policy"), object.required(subject, "subject"), per, ttl, by, why, at);
            case OperatorJson.ENFORCE ->
                new OperatorRecord.Enforce(agent, object.required(enforce, "enforce"), ttl, by, why, at);
            default -> throw new MalformedRecord("operator record.type: not a lock, a release or the kill switch");
        };
    }
}
