package io.sluice.quota.token;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.sluice.agent.quota.QuotaAnswer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** The messages and methods of quota.proto. Its two messages are written by hand: generated code would need a compiler per platform. */
final class TokenMessages {
    static final String SERVICE = "sluice.quota.v1.TokenServer";
    static final MethodDescriptor<Charges, QuotaAnswer> ACQUIRE = method("Acquire");
    static final MethodDescriptor<Charges, QuotaAnswer> ADJUST = method("Adjust");
    static final MethodDescriptor<Charges, QuotaAnswer> REJOIN = method("Rejoin");

    /** The most characters of a policy's name, and of a slot, which has 16. */
    static final int MOST_NAME = 64;

    private static final int TYPE_BITS = 3;

    /**
     * A request.
     *
     * @param failover nanoseconds for which the server has stood in for another one; 0 when it does not
     */
    record Charges(List<TokenCharge> charges, long failover) {
        static final Charges NONE = new Charges(List.of(), 0);
    }

    /** Writes a message. */
    private interface Writer<T> {
        void write(T message, CodedOutputStream out) throws IOException;
    }

    /** Reads a message. */
    private interface Reader<T> {
        T read(CodedInputStream in) throws IOException;
    }

    private TokenMessages() {}

    private static MethodDescriptor<Charges, QuotaAnswer> method(String name) {
        return MethodDescriptor.<Charges, QuotaAnswer>newBuilder()
                .setType(MethodDescriptor.MethodType.UNARY)
                .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
                .setRequestMarshaller(marshaller(TokenMessages::writeCharges, TokenMessages::readCharges))
                .setResponseMarshaller(marshaller(TokenMessages::writeAnswer, TokenMessages::readAnswer))
                .build();
    }

    private static <T> MethodDescriptor.Marshaller<T> marshaller(Writer<T> writer, Reader<T> reader) {
        return new MethodDescriptor.Marshaller<>() {
            @Override
            public InputStream stream(T value) {
                return new ByteArrayInputStream(bytes(writer, value));
            }

            @Override
            public T parse(InputStream stream) {
                try {
                    return reader.read(CodedInputStream.newInstance(stream));
                } catch (IOException e) {
                    throw Status.INVALID_ARGUMENT
                            .withDescription("the message is not one of quota.proto: " + e.getMessage())
                            .withCause(e)
                            .asRuntimeException();
                }
            }
        };
    }

    private static <T> byte[] bytes(Writer<T> writer, T value) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        try {
            writer.write(value, out);
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static void writeCharges(Charges message, CodedOutputStream out) throws IOException {
        for (TokenCharge charge : message.charges) {
            out.writeByteArray(1, bytes(TokenMessages::writeCharge, charge));
        }
        out.writeInt64(2, message.failover);
    }

    private static Charges readCharges(CodedInputStream in) throws IOException {
        List<TokenCharge> charges = new ArrayList<>();
        long failover = 0;
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (tag >>> TYPE_BITS) {
                case 1 -> charges.add(readCharge(CodedInputStream.newInstance(in.readByteArray())));
                case 2 -> failover = Math.max(0, in.readInt64());
                default -> in.skipField(tag);
            }
        }
        return new Charges(charges, failover);
    }

    private static void writeCharge(TokenCharge charge, CodedOutputStream out) throws IOException {
        out.writeString(1, charge.policy());
        out.writeString(2, charge.slot());
        out.writeEnum(3, charge.window() ? 1 : 0);
        out.writeInt64(4, charge.span());
        out.writeInt64(5, charge.burst());
        out.writeString(6, charge.subject());
        out.writeInt64(7, charge.permits());
    }

    private static TokenCharge readCharge(CodedInputStream in) throws IOException {
        String policy = "";
        String slot = "";
        String subject = "";
        int algorithm = 0;
        long span = 0;
        long burst = 0;
        long permits = 0;
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (tag >>> TYPE_BITS) {
                case 1 -> policy = in.readStringRequireUtf8();
                case 2 -> slot = in.readStringRequireUtf8();
                case 3 -> algorithm = in.readEnum();
                case 4 -> span = in.readInt64();
                case 5 -> burst = in.readInt64();
                case 6 -> subject = in.readStringRequireUtf8();
                case 7 -> permits = in.readInt64();
                default -> in.skipField(tag);
            }
        }
        if (policy.length() > MOST_NAME || slot.length() > MOST_NAME) {
            throw new IOException("policy of " + policy.length() + " and slot of " + slot.length()
                    + " characters; allowed are " + MOST_NAME + " each");
        }
        boolean valid = (algorithm == 0 || algorithm == 1)
                && span >= 1
                && span <= TokenCharge.LONGEST
                && burst >= 0
                && (algorithm == 1 || burst <= TokenCharge.LONGEST / span);
        if (!valid) {
            throw new IOException(
                    "algorithm " + algorithm + ", span " + span + " and burst " + burst
                            + "; allowed are algorithm 0 or 1, a span of 1 or more, and a burst of 0 or more that fills within 73 years");
        }
        return new TokenCharge(policy, slot, algorithm == 1, span, burst, subject, permits);
    }

    private static void writeAnswer(QuotaAnswer answer, CodedOutputStream out) throws IOException {
        out.writeBool(1, answer.granted());
        out.writeInt32(2, answer.charge());
        out.writeInt64(3, answer.remaining());
        out.writeInt64(4, answer.retryAfterNanos() == QuotaAnswer.NEVER ? -1 : answer.retryAfterNanos());
    }

    private static QuotaAnswer readAnswer(CodedInputStream in) throws IOException {
        boolean granted = false;
        int charge = 0;
        long remaining = 0;
        long wait = 0;
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (tag >>> TYPE_BITS) {
                case 1 -> granted = in.readBool();
                case 2 -> charge = in.readInt32();
                case 3 -> remaining = in.readInt64();
                case 4 -> wait = in.readInt64();
                default -> in.skipField(tag);
            }
        }
        return new QuotaAnswer(granted, charge, remaining, wait < 0 ? QuotaAnswer.NEVER : wait);
    }
}
