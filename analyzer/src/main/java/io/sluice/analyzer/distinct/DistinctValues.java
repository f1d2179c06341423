package io.sluice.analyzer.distinct;

import io.sluice.contract.json.MalformedRecord;
import java.nio.charset.StandardCharsets;
import java.util.TreeSet;

public final class DistinctValues {
    final TreeSet<String> set = new TreeSet<>();

    public static DistinctValues empty() {
        return new DistinctValues();
    }

    public boolean add(String value) {
        return set.add(value);
    }

    public void addAll(DistinctValues other) {
        set.addAll(other.set);
    }

    public long count() {
        return set.size();
    }

    public byte[] encode() {
        return (" " + String.join("\n", set)).getBytes(StandardCharsets.UTF_8);
    }

    public static DistinctValues decode(byte[] bytes) throws MalformedRecord {
        DistinctValues v = new DistinctValues();
        for (String s : new String(bytes, StandardCharsets.UTF_8).substring(1).split("\n", -1)) {
            v.add(s);
        }
        return v;
    }

    public DistinctValues copy() {
        DistinctValues v = new DistinctValues();
        v.addAll(this);
        return v;
    }
}
