package io.sluice.analyzer.top;

import java.util.List;

/** A subject as a key of a map; ordered, so that names chosen to collide don't make the map slow. */
record Name(List<String> values) implements Comparable<Name> {
    @Override
    public int compareTo(Name other) {
        int order = Integer.compare(values.size(), other.values.size());
        for (int i = 0; order == 0 && i < values.size(); i++) {
            order = values.get(i).compareTo(other.values.get(i));
        }
        return order;
    }
}
