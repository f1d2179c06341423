package io.sluice.benchmarks.analyzer;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/** Alternatives of users, and the floor. */
enum Peer {
    /** A consumer that parses what is needed and does nothing with it: the least possible work. */
    FLOOR("bare consumer and parser") {
        @Override
        AutoCloseable start(String bootstrapServers, String topic, Path state, AtomicLong events) {
            return new BareConsumer(bootstrapServers, topic, events);
        }
    },
    EMPTY("empty topology and parser") {
        @Override
        AutoCloseable start(String bootstrapServers, String topic, Path state, AtomicLong events) {
            return StreamsPeer.start(bootstrapServers, state, StreamsPeer.empty(topic, events));
        }
    },
    HOPPING("DSL, hopping windows of 60 s every 10 s") {
        @Override
        AutoCloseable start(String bootstrapServers, String topic, Path state, AtomicLong events) {
            return StreamsPeer.start(bootstrapServers, state, StreamsPeer.hopping(topic, events));
        }
    },
    TUMBLING("DSL, tumbling windows of 60 s") {
        @Override
        AutoCloseable start(String bootstrapServers, String topic, Path state, AtomicLong events) {
            return StreamsPeer.start(bootstrapServers, state, StreamsPeer.tumbling(topic, events));
        }
    },
    GET_PUT("a get and a put in RocksDB an event") {
        @Override
        AutoCloseable start(String bootstrapServers, String topic, Path state, AtomicLong events) {
            return StreamsPeer.start(bootstrapServers, state, PaneRing.topology(topic, events));
        }
    };

    private final String title;

    Peer(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    /** Reads the topic from its beginning, counting what it has done, until it is closed. */
    abstract AutoCloseable start(String bootstrapServers, String topic, Path state, AtomicLong events);
}
