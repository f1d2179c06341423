package io.sluice.faults;

import io.sluice.faults.net.Records;
import io.sluice.faults.poison.Corpus;
import io.sluice.testing.Mutations;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Puts damaged records on a topic's partition, each between two good ones. One thread. */
final class Sandwiches {
    private final Records to;
    private final String topic;
    private final int partition;
    private final IntFunction<Slice> good;
    private final Judge judge;
    private int goods;
    private long poison;
    private long strange;
    private long withheld;

    /** Key and value of a record. */
    static final class Slice {
        private final byte @Nullable [] key;
        private final byte @Nullable [] value;

        Slice(byte @Nullable [] key, byte @Nullable [] value) {
            this.key = key;
            this.value = value;
        }

        /** @throws IllegalStateException when it has none */
        byte[] key() {
            return present(key);
        }

        /** @throws IllegalStateException when it has none */
        byte[] value() {
            return present(value);
        }

        private static byte[] present(byte @Nullable [] bytes) {
            if (bytes == null) {
                throw new IllegalStateException("it has none");
            }
            return bytes;
        }
    }

    /** What the contract says of a damaged record. */
    enum Verdict {
        /** It can't be read: it must be put aside or passed over. */
        POISON,
        /** It can be read, and does no harm. */
        SOUND,
        /** It can be read and is a valid record of any writer of the topic: it is not sent. */
        ORDER
    }

    /** Says which. */
    @FunctionalInterface
    interface Judge {
        Verdict of(byte @Nullable [] key, byte @Nullable [] value);
    }

    /** @param good the n-th good record */
    Sandwiches(Records to, String topic, int partition, IntFunction<Slice> good, Judge judge) {
        this.to = to;
        this.topic = topic;
        this.partition = partition;
        this.good = good;
        this.judge = judge;
    }

    /** The written corpus, with the variants of a sound JSON record if there is one, under a sound key; and keys that are none. */
    int corpus(byte[] key, byte @Nullable [] soundJson) {
        List<Slice> all = new ArrayList<>();
        Map<String, byte[]> anywhere = Corpus.anywhere();
        anywhere.values().forEach(value -> all.add(new Slice(key, value)));
        if (soundJson != null) {
            Corpus.of(new String(soundJson, StandardCharsets.UTF_8))
                    .values()
                    .forEach(value -> all.add(new Slice(key, value)));
        }
        all.add(new Slice(key, null));
        all.add(new Slice(key, new byte[0]));
        all.forEach(it -> put(it.key, it.value));
        return all.size();
    }

    /** Keys that are none, on a topic where keys matter, and deletions of them where it is compacted. */
    void keys(byte[] soundValue, boolean compacted) {
        for (byte[] key : Corpus.anywhere().values()) {
            put(key, soundValue);
            if (compacted) {
                put(key, null);
            }
        }
        if (!compacted) {
            put(null, soundValue);
        }
    }

    /** So many damaged copies of these values under this key. */
    void mutations(Mutations mutations, byte[] key, List<byte[]> sound, int many) {
        for (int i = 0; i < many; i++) {
            put(key, mutations.of(sound));
        }
    }

    private void put(byte @Nullable [] key, byte @Nullable [] value) {
        Verdict verdict = judge.of(key, value);
        if (verdict == Verdict.ORDER) {
            withheld++;
            return;
        }
        good();
        to.send(topic, partition, key, value);
        good();
        if (verdict == Verdict.POISON) {
            poison++;
        } else {
            strange++;
        }
    }

    private void good() {
        Slice slice = good.apply(goods++);
        to.send(topic, partition, slice.key, slice.value);
    }

    int goods() {
        return goods;
    }

    long poison() {
        return poison;
    }

    /** Damaged and sound nevertheless. */
    long strange() {
        return strange;
    }

    /** Not sent. */
    long withheld() {
        return withheld;
    }
}
