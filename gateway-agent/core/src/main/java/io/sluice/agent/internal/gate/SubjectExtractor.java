package io.sluice.agent.internal.gate;

import io.sluice.contract.event.RequestAttributes;
import io.sluice.contract.json.JsonStrings;
import io.sluice.contract.policy.Attribute;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Extracts the subject of a request by the attributes of a policy, and finds its entry. Thread-safe. */
final class SubjectExtractor {
    private final Attribute[] attributes;
    private final ProbePool probes;

    SubjectExtractor(List<Attribute> attributes) {
        this.attributes = attributes.toArray(Attribute[]::new);
        this.probes = new ProbePool(this.attributes.length);
    }

    boolean isOf(List<Attribute> others) {
        return List.of(attributes).equals(others);
    }

    /** Returns the number of values of a subject. */
    int size() {
        return attributes.length;
    }

    /** Returns the key of a request's subject, or {@code null} when the request lacks an attribute. */
    @Nullable
    SubjectKey key(RequestAttributes request) {
        return SubjectKey.of(attributes, request);
    }

    /** Returns a request's subject as a minimal JSON array, or {@code null} when the request lacks an attribute. */
    @Nullable
    String text(RequestAttributes request) {
        StringBuilder text = new StringBuilder("[");
        for (int i = 0; i < attributes.length; i++) {
            String value = attributes[i].valueOf(request);
            if (value == null) {
                return null;
            }
            if (i > 0) {
                text.append(',');
            }
            JsonStrings.quote(value, text);
        }
        return text.append(']').toString();
    }

    /** Returns whether a request has all attributes, and so a subject. */
    boolean has(RequestAttributes request) {
        for (Attribute attribute : attributes) {
            if (attribute.valueOf(request) == null) {
                return false;
            }
        }
        return true;
    }

    /** Returns the entry of the request's subject, or {@code null}. */
    @Nullable
    SubjectEntry find(SubjectTable table, RequestAttributes request) {
        if (attributes.length == 1) {
            String text = attributes[0].valueOf(request);
            return text == null ? null : find(table, text);
        }
        if (attributes.length == 0) {
            return table.get(SubjectKey.ONLY);
        }
        SubjectValues probe = probes.borrow();
        SubjectEntry kept = probe.fill(attributes, request) ? table.get(probe.hash(), SubjectKey.NAMED, probe) : null;
        probes.back(probe);
        return kept;
    }

    /** Finds a single value as {@code SubjectKey.of(text)} would, without allocating. */
    private static @Nullable SubjectEntry find(SubjectTable table, String text) {
        long tail = SubjectCode.tail(text);
        long head = SubjectCode.head(text);
        return tail < 0 || head < 0
                ? table.get(SubjectCode.hash(text), SubjectKey.NAMED, text)
                : table.get(head, tail, null);
    }
}
