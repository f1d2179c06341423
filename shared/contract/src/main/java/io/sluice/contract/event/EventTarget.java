package io.sluice.contract.event;

import org.jspecify.annotations.Nullable;

/**
 * Where the value of a JSON field goes.
 *
 * @param field which field of ours, {@code null} for type and format
 * @param name the JSON field's name
 * @param rank 0 for the first choice among several names
 * @param label the name it gets among the labels, for a field that stands outside of them
 * @param bit a bit of its own, by which it is noticed when the field stands twice; 0 for type and format
 * @param next what else becomes of the same value
 */
record EventTarget(
        @Nullable Field field,
        String name,
        int rank,
        @Nullable String label,
        long bit,
        @Nullable EventTarget next) {
    static final EventTarget TYPE = new EventTarget(null, "type", 0, null, 0, null);
    static final EventTarget FORMAT = new EventTarget(null, "format", 0, null, 0, null);

    static EventTarget of(Field field, String name, int rank, long bit) {
        return new EventTarget(field, name, rank, null, bit, null);
    }

    static EventTarget ofLabel(String label, String name, long bit) {
        return new EventTarget(Field.LABELS, name, 0, label, bit, null);
    }

    EventTarget and(EventTarget other) {
        return new EventTarget(field, name, rank, label, bit, other);
    }

    /** What to call it in complaints: our own name, which is no data. */
    String place() {
        return field == null ? name : field.spelling();
    }
}
