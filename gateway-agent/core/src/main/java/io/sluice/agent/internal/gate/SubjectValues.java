package io.sluice.agent.internal.gate;

import io.sluice.contract.event.RequestAttributes;
import io.sluice.contract.policy.Attribute;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The values of a subject with several attributes. Probes are refilled for each look-up; stored instances never change. */
final class SubjectValues implements Comparable<SubjectValues> {
    private final String[] values;
    private long hash;

    SubjectValues(int size) {
        values = new String[size];
        Arrays.fill(values, "");
    }

    static SubjectValues of(List<String> subject) {
        SubjectValues several = new SubjectValues(subject.size());
        for (int i = 0; i < several.values.length; i++) {
            several.values[i] = subject.get(i);
        }
        several.hash = several.computed();
        return several;
    }

    /** Takes a request's values; false when it lacks one. */
    boolean fill(Attribute[] per, RequestAttributes request) {
        for (int i = 0; i < values.length; i++) {
            String value = per[i].valueOf(request);
            if (value == null) {
                return false;
            }
            values[i] = value;
        }
        hash = computed();
        return true;
    }

    List<String> subject() {
        return List.of(values);
    }

    /** Returns a hash that clients cannot predict. */
    long hash() {
        return hash;
    }

    private long computed() {
        long sum = 0;
        for (String value : values) {
            sum = SubjectCode.hash(sum, SubjectCode.hash(value));
        }
        return sum;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SubjectValues several && hash == several.hash && Arrays.equals(values, several.values);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(hash);
    }

    @Override
    public int compareTo(SubjectValues other) {
        return Arrays.compare(values, other.values);
    }
}
