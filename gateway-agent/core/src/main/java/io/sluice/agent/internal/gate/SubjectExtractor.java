package io.sluice.agent.internal.gate;

import io.sluice.contract.event.RequestAttributes;
import io.sluice.contract.policy.Attribute;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The attributes that a policy counts by: who a request's subject is, and what is kept for it. Thread-safe. */
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

    /** How many values a subject has. */
    int size() {
        return attributes.length;
    }

    /** The key of a request's subject, or {@code null} when the request lacks an attribute. */
    @Nullable
    SubjectKey key(RequestAttributes request) {
        return SubjectKey.of(attributes, request);
    }

    /** Whether a request has all attributes, and so a subject. */
    boolean has(RequestAttributes request) {
        for (Attribute attribute : attributes) {
            if (attribute.valueOf(request) == null) {
                return false;
            }
        }
        return true;
    }

    /** What is kept for the request's subject, or {@code null}. */
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

    /** As by {@code SubjectKey.of(text)}, without the object. */
    private static @Nullable SubjectEntry find(SubjectTable table, String text) {
        long tail = SubjectCode.tail(text);
        long head = SubjectCode.head(text);
        return tail < 0 || head < 0
                ? table.get(SubjectCode.hash(text), SubjectKey.NAMED, text)
                : table.get(head, tail, null);
    }
}
