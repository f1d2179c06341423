package io.sluice.contract.usage;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.key.CompositeKey;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whose usage it is: a policy's revision and a subject, or a group ({@code of} names, then the group's values) for a
 * partial of a load. The revision is part of the key, so that a changed policy starts with empty windows; the partition
 * is chosen without it, so that usage meets the subject's gate lock. Comparable, so that hash tables stay fast if clients choose names of one hash.
 * Immutable and thread-safe.
 */
public final class UsageKey implements Comparable<UsageKey> {
    private static final String METER = "$meter";
    /** A key, its list and its revision, without their characters. */
    private static final long OBJECTS = 112;
    /** A string without its characters, and its place in a list. */
    private static final long STRING = 56;

    private final String policyRevision;
    private final List<String> subject;
    /**
     * Made when first asked for: a group is looked up at each look at a {@code share}, and its bytes are not needed. Always the
     * same, so it doesn't matter which thread makes them; volatile, so that no other one sees them half written.
     */
    private volatile byte @Nullable [] bytes;

    /** @param policyRevision such as {@code noisy-tenant@0123456789abcdef} */
    public UsageKey(String policyRevision, List<String> subject) {
        if (policyRevision.isEmpty()) {
            throw new IllegalArgumentException("policyRevision must not be empty");
        }
        this.policyRevision = policyRevision;
        this.subject = List.copyOf(subject);
    }

    /** The key of a meter task's positions, which go to every partition. No policy's name has a {@code $}. */
    public static UsageKey ofMeter(int task) {
        return new UsageKey(METER, List.of(Integer.toString(task)));
    }

    public String policyRevision() {
        return policyRevision;
    }

    public List<String> subject() {
        return subject;
    }

    @Override
    public int compareTo(UsageKey other) {
        int order = policyRevision.compareTo(other.policyRevision);
        return order != 0 ? order : CompositeKey.ORDER.compare(subject, other.subject);
    }

    /** The policy's name: its revision up to the {@code @}. */
    public String policy() {
        int at = policyRevision.indexOf('@');
        return at < 0 ? policyRevision : policyRevision.substring(0, at);
    }

    /** Returns about how many bytes of heap the key takes. */
    public long heapBytes() {
        long size = OBJECTS + policyRevision.length();
        for (String value : subject) {
            size += STRING + value.length();
        }
        return size;
    }

    /** The key as it stands on the topic; not to be changed. */
    public byte[] bytes() {
        byte[] known = bytes;
        if (known == null) {
            known = CompositeKey.bytes(elements(policyRevision));
            bytes = known;
        }
        return known;
    }

    /** Returns the bytes that choose the partition: the key with the policy's name instead of its revision. */
    public byte[] partitionKey() {
        return CompositeKey.bytes(elements(policy()));
    }

    private List<String> elements(String first) {
        List<String> elements = new ArrayList<>(subject.size() + 1);
        elements.add(first);
        elements.addAll(subject);
        return elements;
    }

    /** Reads what {@link #bytes} writes; the array is kept. */
    public static UsageKey read(byte[] key) throws MalformedRecord {
        List<String> elements = CompositeKey.read(key);
        if (elements.isEmpty() || elements.get(0).isEmpty()) {
            throw new MalformedRecord("usage key: the policy's revision is missing");
        }
        UsageKey read = new UsageKey(elements.get(0), elements.subList(1, elements.size()));
        read.bytes = key;
        return read;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof UsageKey key
                && policyRevision.equals(key.policyRevision)
                && subject.equals(key.subject);
    }

    @Override
    public int hashCode() {
        return 31 * policyRevision.hashCode() + subject.hashCode();
    }

    @Override
    public String toString() {
        return "UsageKey[policyRevision=" + policyRevision + ", subject=" + subject + "]";
    }
}
