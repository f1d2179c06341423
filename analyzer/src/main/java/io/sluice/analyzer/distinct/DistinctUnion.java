package io.sluice.analyzer.distinct;

public final class DistinctUnion {
    private final DistinctValues v = new DistinctValues();

    public void add(DistinctValues more) {
        v.addAll(more);
    }

    public long count() {
        return v.count();
    }
}
