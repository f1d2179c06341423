package io.sluice.analyzer.replay.scenario;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.ObjIntConsumer;

/** A story's events as they are told: caller by caller, put in order in the end. Times are milliseconds since {@link #START}. */
final class EventLog {
    /** 2026-03-02T10:00:00Z: a whole minute, so that seconds and panes can be told by counting. */
    static final long START = 1_772_445_600_000L;

    private final List<Event> events = new ArrayList<>();
    private final Random random;

    EventLog(long seed) {
        random = new Random(seed);
    }

    /** An event, to be told more of. */
    Event at(long millis, String caller) {
        Event event = new Event(millis, caller);
        events.add(event);
        return event;
    }

    /** {@code count} events of one caller, one each {@code step} milliseconds. */
    void every(long step, int count, long from, String caller, ObjIntConsumer<Event> with) {
        for (int i = 0; i < count; i++) {
            with.accept(at(from + i * step, caller), i);
        }
    }

    /** The same, and there is nothing more to be told of them. */
    void every(long step, int count, long from, String caller) {
        every(step, count, from, caller, (event, i) -> {});
    }

    /** Callers with a few requests each at any time, far below every policy. */
    void visitors(int people, int each, long from, long to, ObjIntConsumer<Event> with) {
        for (int person = 0; person < people; person++) {
            for (int i = 0; i < each; i++) {
                long time = from + (long) (random.nextDouble() * (to - from));
                with.accept(at(time, "visitor-" + person), person);
            }
        }
    }

    byte[] bytes() {
        StringBuilder text = new StringBuilder();
        events.stream()
                .sorted(Comparator.comparingLong(Event::position))
                .forEach(event -> text.append(event).append('\n'));
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** One line. */
    static final class Event {
        private final long time;
        private final StringBuilder rest = new StringBuilder();
        private long appended = -1;

        private Event(long time, String caller) {
            this.time = time;
            text("caller", caller);
        }

        /** The clock of the source is wrong, or the event took its time to come. */
        Event appended(long millis) {
            appended = millis;
            return this;
        }

        Event service(String service) {
            return text("service", service);
        }

        Event route(String route) {
            return text("route", route);
        }

        Event ip(String ip) {
            return text("ip", ip);
        }

        Event status(int status) {
            return number("status", status);
        }

        Event cost(long cost) {
            return number("cost", cost);
        }

        Event bytes(long bytes) {
            return number("bytes", bytes);
        }

        Event millis(long millis) {
            return number("millis", millis);
        }

        /** The caller's name is claimed, not authenticated. */
        Event claimed() {
            return text("identity", "claimed");
        }

        Event plan(String plan) {
            rest.append(",\"labels\":{\"plan\":\"").append(plan).append("\"}");
            return this;
        }

        private Event text(String name, String value) {
            rest.append(",\"").append(name).append("\":\"").append(value).append('"');
            return this;
        }

        private Event number(String name, long value) {
            rest.append(",\"").append(name).append("\":").append(value);
            return this;
        }

        private long position() {
            return appended < 0 ? time : appended;
        }

        @Override
        public String toString() {
            String append = appended < 0 ? "" : ",\"appended\":" + (START + appended);
            return "{\"time\":" + (START + time) + append + rest + "}";
        }
    }
}
