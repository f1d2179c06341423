package io.sluice.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.io.AbstractConnection;
import org.eclipse.jetty.io.ByteArrayEndPoint;
import org.junit.jupiter.api.Test;

class ConnectionsTest {
    private final AtomicLong now = new AtomicLong(-5);
    private final Connections connections = new Connections(2, now::get);
    private final List<String> closed = new ArrayList<>();

    @Test
    void givenAConnectionThatAskedNothingWhenItsFirstTimeIsUpThenItIsClosed() {
        connections.onOpened(new Named("slow"));

        passes(Connections.FIRST.minusNanos(1));
        assertThat(closed).isEmpty();

        passes(Duration.ofNanos(1));
        assertThat(closed).containsExactly("slow");
    }

    @Test
    void givenAConnectionThatAskedWhenItGoesOnAskingThenItStays() {
        Named alive = new Named("alive");
        connections.onOpened(alive);

        for (int i = 0; i < 3; i++) {
            connections.asked(alive);
            passes(Connections.NEXT.minusNanos(1));
        }
        assertThat(closed).isEmpty();

        passes(Duration.ofNanos(1));
        assertThat(closed).containsExactly("alive");
    }

    @Test
    void givenAllPlacesTakenWhenOneMoreComesThenItGetsThePlaceOfWhoAskedNothingForLongest() {
        Named busy = new Named("busy");
        connections.onOpened(busy);
        passes(Duration.ofNanos(1));
        connections.onOpened(new Named("dribbling"));
        passes(Duration.ofNanos(1));
        connections.asked(busy);
        assertThat(closed).isEmpty();

        passes(Duration.ofNanos(1));
        connections.onOpened(new Named("new"));

        assertThat(closed).containsExactly("dribbling");
        assertThat(connections.size()).isEqualTo(2);
    }

    @Test
    void givenAStandstillOfThisProcessWhenItGoesOnThenConnectionsHaveTheRestOfTheirTime() {
        Connections running = new Connections(2, new RunningClock(now::get));
        running.onOpened(new Named("waiting"));

        now.addAndGet(Duration.ofMinutes(1).toNanos());
        running.sweep();
        assertThat(closed).isEmpty();

        for (int second = 0; second < 3; second++) {
            now.addAndGet(Duration.ofSeconds(1).toNanos());
            running.sweep();
        }
        assertThat(closed).containsExactly("waiting");
    }

    private void passes(Duration time) {
        now.addAndGet(time.toNanos());
        connections.sweep();
    }

    private final class Named extends AbstractConnection {
        private final String name;

        Named(String name) {
            super(new ByteArrayEndPoint(), Runnable::run);
            this.name = name;
        }

        @Override
        public void onFillable() {}

        @Override
        public void close() {
            closed.add(name);
            connections.onClosed(this);
        }
    }
}
