package io.sluice.contract.topic;

import java.util.Map;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/** Signs the records of a producer of bytes. Kafka creates it; {@link RecordSignatures#producing} names it. */
public final class SigningInterceptor implements ProducerInterceptor<byte[], byte[]> {
    private @Nullable RecordSignatures signatures;

    @Override
    public void configure(Map<String, ?> configs) {
        signatures = RecordSignatures.of(configs);
    }

    @Override
    public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> record) {
        RecordSignatures known = signatures;
        if (known != null && known.covers(record.topic())) {
            record.headers()
                    .remove(RecordSignatures.HEADER)
                    .add(RecordSignatures.HEADER, known.sign(record.topic(), record.key(), record.value()));
        }
        return record;
    }

    @Override
    public void onAcknowledgement(@Nullable RecordMetadata metadata, @Nullable Exception exception) {
        // only sending matters
    }

    @Override
    public void close() {
        // holds nothing open
    }
}
