package io.sluice.analyzer.detect;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Over when all of its parts are, in the same window. The evidence is of the part that is over by least: it decided. */
final class All implements Detector {
    private final List<Detector> parts;
    private final List<Share> shares;

    All(List<Detector> parts) {
        this.parts = List.copyOf(parts);
        shares = parts.stream().flatMap(part -> part.shares().stream()).toList();
    }

    @Override
    public List<Share> shares() {
        return shares;
    }

    @Override
    public @Nullable Over ask(Subject subject, long pane) {
        List<Over> overs = new ArrayList<>(parts.size());
        for (Detector part : parts) {
            Over over = part.ask(subject, pane);
            if (over == null) {
                return null;
            }
            overs.add(over);
        }
        overs.sort(Comparator.comparingDouble(Over::times));
        Over decisive = overs.get(0);
        List<Threshold> also = overs.stream().skip(1).map(Over::threshold).toList();
        return new Over(decisive.threshold().and(also), decisive.observed(), decisive.load());
    }
}
