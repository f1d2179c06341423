package io.sluice.analyzer.replay;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.analyzer.exact.ExactOracle.Over;
import io.sluice.analyzer.exact.ExactOracle.Reading;
import io.sluice.contract.lock.Evidence;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Locks for programs. */
final class LockJson {
    private final JsonGenerator to;

    LockJson(JsonGenerator to) {
        this.to = to;
    }

    void none() throws IOException {
        to.writeArrayFieldStart("locks");
        to.writeEndArray();
    }

    void tried(Tried tried) throws IOException {
        to.writeArrayFieldStart("locks");
        for (TriedLock lock : tried.locks()) {
            lock(lock);
        }
        to.writeEndArray();
        if (tried.exact()) {
            to.writeArrayFieldStart("missed");
            for (Tried.Missed missed : tried.missed()) {
                missed(missed);
            }
            to.writeEndArray();
        }
    }

    void changes(Comparison comparison) throws IOException {
        to.writeArrayFieldStart("changes");
        for (LockChange change : comparison.changes()) {
            to.writeStartObject();
            ReplayLock lock = change.either().lock();
            gate(lock.policy(), lock.subject());
            texts("kinds", change.kinds().stream().map(LockChange.Kind::json).toList());
            side("old", change.before());
            side("new", change.now());
            to.writeEndObject();
        }
        to.writeEndArray();
    }

    private void side(String name, @Nullable TriedLock lock) throws IOException {
        if (lock != null) {
            to.writeFieldName(name);
            lock(lock);
        }
    }

    private void lock(TriedLock tried) throws IOException {
        ReplayLock lock = tried.lock();
        Evidence evidence = lock.evidence();
        to.writeStartObject();
        gate(lock.policy(), lock.subject());
        to.writeNumberField("at", lock.at());
        to.writeNumberField("until", lock.until());
        to.writeStringField("mode", lock.mode());
        to.writeStringField("detector", evidence.detector());
        to.writeNumberField("observed", evidence.observed());
        to.writeNumberField("threshold", evidence.threshold());
        to.writeBooleanField("guarded", lock.guarded());
        to.writeBooleanField("shadow", lock.shadow());
        to.writeBooleanField("released", lock.released());
        to.writeNumberField("sum", evidence.sum());
        to.writeNumberField("load", evidence.load());
        to.writeNumberField("rejected", tried.toll().rejected());
        to.writeNumberField("unmatched", tried.toll().unmatched());
        OptionalLong detect = tried.detectMillis();
        if (detect.isPresent()) {
            to.writeNumberField("detectMillis", detect.getAsLong());
        }
        exact(tried);
        to.writeEndObject();
    }

    private void exact(TriedLock tried) throws IOException {
        Verdict verdict = tried.verdict();
        if (verdict == null) {
            return;
        }
        to.writeNumberField("within", tried.toll().within());
        to.writeObjectFieldStart("exact");
        to.writeBooleanField("holds", verdict.holds());
        Over over = verdict.over();
        if (over != null) {
            to.writeNumberField("overFrom", over.from());
            to.writeNumberField("overUntil", over.lastSeen());
        }
        Reading reading = verdict.reading();
        if (reading != null) {
            to.writeNumberField("observed", reading.observed());
            to.writeNumberField("sum", reading.sum());
        }
        to.writeEndObject();
    }

    private void missed(Tried.Missed missed) throws IOException {
        Over over = missed.longest();
        to.writeStartObject();
        gate(over.policy(), over.subject());
        to.writeStringField("detector", over.detector());
        to.writeNumberField("observed", over.observed());
        to.writeNumberField("threshold", over.threshold());
        to.writeNumberField("from", over.from());
        to.writeNumberField("until", over.lastSeen());
        to.writeNumberField("spans", missed.spans());
        to.writeEndObject();
    }

    private void gate(String policy, List<String> subject) throws IOException {
        to.writeStringField("policy", policy);
        texts("subject", subject);
    }

    private void texts(String name, List<String> texts) throws IOException {
        to.writeArrayFieldStart(name);
        for (String text : texts) {
            to.writeString(text);
        }
        to.writeEndArray();
    }
}
