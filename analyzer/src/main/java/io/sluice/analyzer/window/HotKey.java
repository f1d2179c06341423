package io.sluice.analyzer.window;

import io.sluice.contract.usage.UsageKey;
import java.util.List;

/** A key that hash maps can also order: names that a caller chose to collide cost it a tree's search, not a list's. */
record HotKey(UsageKey usage) implements Comparable<HotKey> {

    @Override
    public int compareTo(HotKey other) {
        int byRevision = usage.policyRevision().compareTo(other.usage.policyRevision());
        if (byRevision != 0) {
            return byRevision;
        }
        List<String> mine = usage.subject();
        List<String> theirs = other.usage.subject();
        for (int i = 0; i < Math.min(mine.size(), theirs.size()); i++) {
            int byValue = mine.get(i).compareTo(theirs.get(i));
            if (byValue != 0) {
                return byValue;
            }
        }
        return Integer.compare(mine.size(), theirs.size());
    }
}
