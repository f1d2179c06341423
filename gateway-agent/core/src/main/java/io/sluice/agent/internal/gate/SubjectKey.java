package io.sluice.agent.internal.gate;

import io.sluice.contract.event.RequestAttributes;
import io.sluice.contract.policy.Attribute;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The key of a subject in its table.
 *
 * @param head the code's first half
 * @param tail the code's second half, negative when the name has to be compared as well
 * @param name a text or {@link SubjectValues}, where the code alone does not identify the subject
 */
record SubjectKey(long head, long tail, @Nullable Object name) implements Comparable<SubjectKey> {
    /** The tail of subjects that are compared by name. */
    static final long NAMED = -1;

    /** The key of policies without attributes, which have a single subject. */
    static final SubjectKey ONLY = of("");

    static SubjectKey of(List<String> subject) {
        return switch (subject.size()) {
            case 0 -> ONLY;
            case 1 -> of(subject.get(0));
            default -> of(SubjectValues.of(subject));
        };
    }

    /** The key of a request's subject, or {@code null} when the request lacks an attribute. */
    static @Nullable SubjectKey of(Attribute[] per, RequestAttributes request) {
        if (per.length == 0) {
            return ONLY;
        }
        if (per.length == 1) {
            String text = per[0].valueOf(request);
            return text == null ? null : of(text);
        }
        SubjectValues values = new SubjectValues(per.length);
        return values.fill(per, request) ? of(values) : null;
    }

    private static SubjectKey of(String text) {
        long tail = SubjectCode.tail(text);
        long head = SubjectCode.head(text);
        return tail < 0 || head < 0
                ? new SubjectKey(SubjectCode.hash(text), NAMED, text)
                : new SubjectKey(head, tail, null);
    }

    private static SubjectKey of(SubjectValues values) {
        return new SubjectKey(values.hash(), NAMED, values);
    }

    /** The subject's values. */
    List<String> subject(int size) {
        return switch (size) {
            case 0 -> List.of();
            case 1 -> List.of(tail < 0 ? (String) Objects.requireNonNull(name) : SubjectCode.text(head, tail));
            default -> ((SubjectValues) Objects.requireNonNull(name)).subject();
        };
    }

    @Override
    public int hashCode() {
        return Long.hashCode(SubjectCode.hash(head, tail));
    }

    @Override
    public int compareTo(SubjectKey other) {
        int codes = head != other.head ? Long.compare(head, other.head) : Long.compare(tail, other.tail);
        if (codes != 0 || name == null || other.name == null) {
            return codes;
        }
        return name instanceof SubjectValues values
                ? values.compareTo((SubjectValues) other.name)
                : ((String) name).compareTo((String) other.name);
    }
}
