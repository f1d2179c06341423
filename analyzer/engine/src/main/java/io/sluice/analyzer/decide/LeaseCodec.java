package io.sluice.analyzer.decide;

import io.sluice.analyzer.detect.Threshold;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.lock.Evidence;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.usage.UsageKey;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A lease as bytes in the task's own state. */
final class LeaseCodec {
    /** Since this format a lease contains the attributes of its subject. */
    private static final byte FORMAT = 3;

    private static final byte WITHOUT_PER = 2;

    private LeaseCodec() {}

    static byte[] write(Lease lease) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(FORMAT);
            writeKey(lease.key(), out);
            writePer(lease.per(), out);
            Terms terms = lease.terms();
            out.writeUTF(terms.mode().name());
            out.writeDouble(terms.rate());
            out.writeBoolean(terms.shadow());
            writeLength(terms.length(), out);
            out.writeDouble(terms.release());
            writeThreshold(lease.threshold(), out);
            writeEvidence(lease.evidence(), out);
            out.writeLong(lease.since());
            out.writeLong(lease.until());
            out.writeInt(lease.level());
            out.writeDouble(lease.ratio());
            out.writeBoolean(lease.guarded());
            out.writeLong(lease.written());
            out.writeLong(lease.ttlMillis());
            out.writeBoolean(lease.released());
        } catch (IOException e) {
            throw new UncheckedIOException("a lease can't be written", e);
        }
        return bytes.toByteArray();
    }

    static Lease read(byte[] bytes) throws MalformedRecord {
        try {
            return decode(bytes);
        } catch (IOException | IllegalArgumentException e) {
            throw new MalformedRecord("lease: damaged");
        }
    }

    /** Returns whether bytes are cut off: no version has written them, whereas other unreadable ones may be of a newer version. */
    static boolean cutOff(byte[] bytes) {
        try {
            decode(bytes);
            return false;
        } catch (EOFException e) {
            return true;
        } catch (IOException | IllegalArgumentException | MalformedRecord e) {
            return false;
        }
    }

    private static Lease decode(byte[] bytes) throws IOException, MalformedRecord {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            byte format = in.readByte();
            if (format != FORMAT && format != WITHOUT_PER) {
                throw new MalformedRecord("lease: neither of format " + WITHOUT_PER + " nor " + FORMAT);
            }
            UsageKey key = readKey(in);
            List<String> per = format == FORMAT ? readPer(in) : null;
            Terms terms = new Terms(
                    Mode.valueOf(in.readUTF()), in.readDouble(), in.readBoolean(), readLength(in), in.readDouble());
            return new Lease(
                    key,
                    per,
                    terms,
                    readThreshold(in),
                    readEvidence(in),
                    in.readLong(),
                    in.readLong(),
                    in.readInt(),
                    in.readDouble(),
                    in.readBoolean(),
                    in.readLong(),
                    in.readLong(),
                    in.readBoolean());
        }
    }

    private static void writeLength(Length length, DataOutputStream out) throws IOException {
        out.writeLong(length.forMillis());
        out.writeDouble(length.factor());
        out.writeLong(length.upToMillis());
        out.writeLong(length.forgetMillis());
        out.writeBoolean(length.debt());
    }

    private static Length readLength(DataInputStream in) throws IOException {
        return new Length(in.readLong(), in.readDouble(), in.readLong(), in.readLong(), in.readBoolean());
    }

    private static void writeThreshold(Threshold threshold, DataOutputStream out) throws IOException {
        out.writeUTF(threshold.detector());
        out.writeDouble(threshold.value());
        out.writeDouble(threshold.sum());
        UsageKey group = threshold.group();
        out.writeBoolean(group != null);
        if (group != null) {
            writeKey(group, out);
        }
        out.writeDouble(threshold.meanCost());
        out.writeByte(threshold.also().size());
        for (Threshold other : threshold.also()) {
            writeThreshold(other, out);
        }
    }

    private static Threshold readThreshold(DataInputStream in) throws IOException {
        String detector = in.readUTF();
        double value = in.readDouble();
        double sum = in.readDouble();
        @Nullable UsageKey group = in.readBoolean() ? readKey(in) : null;
        double meanCost = in.readDouble();
        int others = in.readUnsignedByte();
        List<Threshold> also = new ArrayList<>(others);
        for (int i = 0; i < others; i++) {
            also.add(readThreshold(in));
        }
        return new Threshold(detector, value, sum, group, meanCost, also);
    }

    private static void writeEvidence(Evidence evidence, DataOutputStream out) throws IOException {
        out.writeUTF(evidence.detector());
        out.writeDouble(evidence.observed());
        out.writeDouble(evidence.threshold());
        out.writeUTF(evidence.measure());
        out.writeLong(evidence.windowMillis());
        out.writeDouble(evidence.sum());
        out.writeDouble(evidence.load());
        out.writeLong(evidence.crossed());
        out.writeLong(evidence.decided());
        out.writeUTF(evidence.revision());
    }

    private static Evidence readEvidence(DataInputStream in) throws IOException {
        return new Evidence(
                in.readUTF(),
                in.readDouble(),
                in.readDouble(),
                in.readUTF(),
                in.readLong(),
                in.readDouble(),
                in.readDouble(),
                in.readLong(),
                in.readLong(),
                in.readUTF());
    }

    private static void writeKey(UsageKey key, DataOutputStream out) throws IOException {
        out.writeUTF(key.policyRevision());
        writeTexts(key.subject(), out);
    }

    private static UsageKey readKey(DataInputStream in) throws IOException {
        String revision = in.readUTF();
        return new UsageKey(revision, readTexts(in));
    }

    private static void writePer(@Nullable List<String> per, DataOutputStream out) throws IOException {
        out.writeBoolean(per != null);
        if (per != null) {
            writeTexts(per, out);
        }
    }

    private static @Nullable List<String> readPer(DataInputStream in) throws IOException {
        return in.readBoolean() ? readTexts(in) : null;
    }

    private static void writeTexts(List<String> texts, DataOutputStream out) throws IOException {
        out.writeByte(texts.size());
        for (String text : texts) {
            out.writeUTF(text);
        }
    }

    private static List<String> readTexts(DataInputStream in) throws IOException {
        int size = in.readUnsignedByte();
        List<String> texts = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            texts.add(in.readUTF());
        }
        return texts;
    }
}
