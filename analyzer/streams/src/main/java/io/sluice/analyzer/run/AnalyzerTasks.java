package io.sluice.analyzer.run;

import io.sluice.analyzer.top.ClaimedShare;
import io.sluice.analyzer.top.Top;
import io.sluice.analyzer.topology.StoredWindows;
import io.sluice.analyzer.topology.Tallies;
import io.sluice.analyzer.topology.WatchRequests;
import io.sluice.analyzer.window.Panes;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.usage.UsageKey;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsMetadata;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.state.HostInfo;
import org.jspecify.annotations.Nullable;

/** The tasks of a running analyzer, and of the others in its group. Thread-safe. */
final class AnalyzerTasks implements TaskQueries {
    private final KafkaStreams streams;
    private final StoredWindows windows;
    private final Tallies tallies;
    private final WatchRequests watchRequests;
    private final int partitions;
    private final String address;

    AnalyzerTasks(
            KafkaStreams streams,
            StoredWindows windows,
            Tallies tallies,
            WatchRequests watchRequests,
            int partitions,
            @Nullable String address) {
        this.streams = streams;
        this.watchRequests = watchRequests;
        this.windows = windows;
        this.tallies = tallies;
        this.partitions = partitions;
        this.address = address == null ? "" : address;
    }

    @Override
    public int partitions() {
        return partitions;
    }

    @Override
    public Set<Integer> here() {
        return tallies.partitions();
    }

    @Override
    public Top top() {
        return tallies.top();
    }

    @Override
    public ClaimedShare claimed() {
        return tallies.claimed();
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public Set<String> others() {
        Set<String> others = new TreeSet<>();
        try {
            for (StreamsMetadata instance : streams.metadataForAllStreamsClients()) {
                others.add(text(instance.hostInfo()));
            }
        } catch (IllegalStateException | InvalidStateStoreException e) {
            // it has ended: no instance can be asked
        }
        others.remove(address);
        others.remove(text(HostInfo.unavailable()));
        return others;
    }

    @Override
    public Optional<String> owner(Policy policy, List<String> subject) {
        return windows.owner(policy, subject).map(AnalyzerTasks::text);
    }

    @Override
    public Optional<Panes> window(Policy policy, List<String> subject, long time) {
        try {
            return Optional.of(windows.read(policy, subject, time));
        } catch (StoredWindows.NotHere e) {
            return Optional.empty();
        }
    }

    @Override
    public Optional<StoredSubject> subject(Policy policy, List<String> subject, long time) {
        try {
            Panes window = windows.read(policy, subject, time);
            watchRequests.add(new UsageKey(policy.revision(), subject));
            return Optional.of(new StoredSubject(
                    window,
                    windows.readEarlier(policy, subject, time),
                    windows.standings(policy, subject, window, time)));
        } catch (StoredWindows.NotHere e) {
            return Optional.empty();
        }
    }

    private static String text(HostInfo host) {
        boolean bare = host.host().contains(":") && !host.host().startsWith("[");
        return (bare ? "[" + host.host() + "]" : host.host()) + ":" + host.port();
    }
}
