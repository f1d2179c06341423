package io.sluice.analyzer.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.analyzer.recount.Verdict;
import io.sluice.contract.lock.EvidenceJson;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.contract.policy.LockRule;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;

/** An explanation for programs. Times are broker time in epoch milliseconds. */
final class WhyJson {
    private final JsonGenerator json;

    private WhyJson(JsonGenerator json) {
        this.json = json;
    }

    static String of(Explanation why) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            new WhyJson(json).write(why);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private void write(Explanation why) throws IOException {
        json.writeStartObject();
        json.writeStringField("policy", why.target().policy().name());
        json.writeArrayFieldStart("subject");
        for (String value : why.target().subject()) {
            json.writeString(value);
        }
        json.writeEndArray();
        json.writeBooleanField("locked", why.locked());
        json.writeNumberField("now", why.now());
        if (why.operator() != null) {
            operator(why.operator().record(), why.operator().append());
        }
        if (why.analyzer() != null) {
            lock("analyzer", why.analyzer().record(), why);
        }
        if (why.recounted() != null) {
            recounted(why.recounted());
        }
        if (why.last() != null) {
            lock("last", why.last().record(), why);
        }
        if (why.release() != null) {
            json.writeObjectFieldStart("release");
            json.writeNumberField("since", why.release().record().since());
            json.writeNumberField("at", why.release().record().until());
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    private void operator(OperatorRecord said, long append) throws IOException {
        json.writeObjectFieldStart("operator");
        if (said instanceof OperatorRecord.Lock lock) {
            json.writeStringField("mode", lock.mode().spelling());
            if (lock.rate() > 0) {
                json.writeNumberField("rate", lock.rate());
            }
        } else {
            json.writeStringField("mode", "released");
        }
        json.writeNumberField("since", append);
        if (said.ttlMillis() > 0) {
            json.writeNumberField("until", append + said.ttlMillis());
        }
        json.writeStringField("author", said.author());
        json.writeStringField("reason", said.reason());
        json.writeEndObject();
    }

    private void lock(String field, GateLock lock, Explanation why) throws IOException {
        json.writeObjectFieldStart(field);
        json.writeStringField("mode", lock.mode().spelling());
        if (lock.rate() > 0) {
            json.writeNumberField("rate", lock.rate());
        }
        if (lock.ratio() > 0) {
            json.writeNumberField("ratio", lock.ratio());
        }
        json.writeNumberField("since", lock.since());
        json.writeNumberField("until", lock.until());
        json.writeNumberField("level", lock.level());
        json.writeBooleanField("shadow", lock.shadow());
        json.writeBooleanField("guarded", lock.guarded());
        LockRule rule = why.target().policy().lockFor(why.target().subject());
        if (rule != null) {
            json.writeNumberField("release", rule.release());
            json.writeNumberField("forMillis", rule.forMillis());
        }
        if (lock.evidence() != null) {
            json.writeFieldName("evidence");
            EvidenceJson.write(lock.evidence(), json);
        }
        json.writeEndObject();
    }

    private void recounted(Explanation.Recounted recounted) throws IOException {
        json.writeObjectFieldStart("recount");
        Verdict verdict = recounted.verdict();
        if (verdict == null) {
            json.writeStringField("verdict", "impossible");
        } else {
            json.writeStringField("verdict", verdict.holds() ? "holds" : "does not hold");
            json.writeNumberField("observed", verdict.observed());
            json.writeNumberField("sum", verdict.sum());
            json.writeNumberField("load", verdict.load());
            json.writeNumberField("excess", verdict.excess());
            json.writeBooleanField("complete", verdict.complete());
            json.writeNumberField("from", verdict.from());
        }
        json.writeStringField("text", recounted.text());
        json.writeEndObject();
    }
}
