package io.sluice.analyzer.api;

import io.sluice.contract.topic.TopicFollower;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Passes each record to two listeners, in order. */
record CompositeListener(TopicFollower.Listener first, TopicFollower.Listener second)
        implements TopicFollower.Listener {
    @Override
    public void record(ConsumerRecord<byte[], byte[]> record) {
        first.record(record);
        second.record(record);
    }

    @Override
    public void caughtUp() {
        first.caughtUp();
        second.caughtUp();
    }

    @Override
    public void again() {
        first.again();
        second.again();
    }
}
