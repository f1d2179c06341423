package io.sluice.agent.gate;

import io.sluice.contract.event.RequestAttributes;
import io.sluice.contract.policy.Attribute;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A subject of several values as a key of a hash map. It is comparable, so that a bin full of equal hashes stays a tree,
 * whatever values a client invents. One that looks up is filled again and again; one that is stored never changes.
 */
final class SubjectKey implements Comparable<SubjectKey> {
    private final String[] values;
    private int hash;

    SubjectKey(int size) {
        values = new String[size];
        Arrays.fill(values, "");
    }

    static SubjectKey of(List<String> subject) {
        SubjectKey key = new SubjectKey(subject.size());
        for (int i = 0; i < key.values.length; i++) {
            key.values[i] = subject.get(i);
        }
        key.hash = key.computed();
        return key;
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

    /** A copy to be stored. */
    SubjectKey stored() {
        return of(Arrays.asList(values));
    }

    private int computed() {
        int sum = 1;
        for (String value : values) {
            sum = 31 * sum + value.hashCode();
        }
        return sum;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SubjectKey key && hash == key.hash && Arrays.equals(values, key.values);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public int compareTo(SubjectKey other) {
        return Arrays.compare(values, other.values);
    }
}
