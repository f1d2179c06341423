package io.sluice.analyzer.decide;

import io.sluice.contract.key.CompositeKey;
import java.util.ArrayList;
import java.util.List;

/** Whose gate: one lease at most for each, whatever revisions the policy goes through. */
record LeaseKey(String policy, List<String> subject) implements Comparable<LeaseKey> {

    @Override
    public int compareTo(LeaseKey other) {
        int order = policy.compareTo(other.policy);
        return order != 0 ? order : CompositeKey.ORDER.compare(subject, other.subject);
    }

    byte[] bytes() {
        List<String> elements = new ArrayList<>(subject.size() + 1);
        elements.add(policy);
        elements.addAll(subject);
        return CompositeKey.bytes(elements);
    }
}
