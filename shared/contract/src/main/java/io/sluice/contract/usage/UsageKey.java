package io.sluice.contract.usage;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.key.CompositeKey;
import java.util.ArrayList;
import java.util.List;

/**
 * Whose usage it is: a policy's revision and a subject, or a group ({@code of} names, then the group's values) for a
 * partial of a load. The revision is part of the key, so that a changed policy starts with empty windows; the partition
 * is chosen without it, so that usage meets the subject's gate lock.
 *
 * @param policyRevision such as {@code noisy-tenant@0123456789abcdef}
 */
public record UsageKey(String policyRevision, List<String> subject) {
    private static final String METER = "$meter";

    public UsageKey {
        if (policyRevision.isEmpty()) {
            throw new IllegalArgumentException("policyRevision must not be empty");
        }
        subject = List.copyOf(subject);
    }

    /** The key of a meter task's positions, which go to every partition. No policy's name has a {@code $}. */
    public static UsageKey ofMeter(int task) {
        return new UsageKey(METER, List.of(Integer.toString(task)));
    }

    /** The policy's name: its revision up to the {@code @}. */
    public String policy() {
        int at = policyRevision.indexOf('@');
        return at < 0 ? policyRevision : policyRevision.substring(0, at);
    }

    /** The key as it stands on the topic. */
    public byte[] bytes() {
        return CompositeKey.bytes(elements(policyRevision));
    }

    /** What the partition is chosen by: the key with the policy's name instead of its revision. */
    public byte[] partitionKey() {
        return CompositeKey.bytes(elements(policy()));
    }

    private List<String> elements(String first) {
        List<String> elements = new ArrayList<>(subject.size() + 1);
        elements.add(first);
        elements.addAll(subject);
        return elements;
    }

    /** Reads what {@link #bytes} writes. */
    public static UsageKey read(byte[] key) throws MalformedRecord {
        List<String> elements = CompositeKey.read(key);
        if (elements.isEmpty() || elements.get(0).isEmpty()) {
            throw new MalformedRecord("usage key: the policy's revision is missing");
        }
        return new UsageKey(elements.get(0), elements.subList(1, elements.size()));
    }
}
