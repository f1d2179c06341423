package io.sluice.sidecar;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import com.google.protobuf.UnknownFieldSet;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;

/**
 * Reads messages whose texts may be any bytes: what is not UTF-8 becomes U+FFFD. Envoy copies the headers of a client as they are, and generated
 * parsers refuse such a message: a client could have its request fail, and pass where the proxy fails open. Thread-safe.
 */
record LenientMarshaller<M extends Message>(Parser<M> parser, Descriptor type)
        implements MethodDescriptor.Marshaller<M> {
    /** As deep as parsers read. */
    private static final int DEPTH = 100;

    /** Returns a method that reads its requests this way. */
    static <Q extends Message, R> MethodDescriptor<Q, R> requests(
            MethodDescriptor<Q, R> of, Parser<Q> parser, Descriptor type) {
        return of.toBuilder(new LenientMarshaller<>(parser, type), of.getResponseMarshaller())
                .build();
    }

    @Override
    public InputStream stream(M value) {
        return value.toByteString().newInput();
    }

    @Override
    public M parse(InputStream stream) {
        try {
            return read(ByteString.readFrom(stream));
        } catch (IOException e) {
            // a client sees UNKNOWN: gRPC for Java ends calls whose marshaller throws with that, its own marshaller's
            // too
            throw Status.INVALID_ARGUMENT
                    .withDescription("the message is no " + type.getFullName() + ": " + e.getMessage())
                    .withCause(e)
                    .asRuntimeException();
        }
    }

    private M read(ByteString message) throws IOException {
        try {
            return parser.parseFrom(message);
        } catch (InvalidProtocolBufferException e) {
            return parser.parseFrom(withSoundTexts(message, type, DEPTH));
        }
    }

    private static ByteString withSoundTexts(ByteString message, Descriptor type, int depth) throws IOException {
        if (depth == 0) {
            return message;
        }
        UnknownFieldSet.Builder sound = UnknownFieldSet.newBuilder();
        for (Map.Entry<Integer, UnknownFieldSet.Field> each :
                UnknownFieldSet.parseFrom(message).asMap().entrySet()) {
            FieldDescriptor field = type.findFieldByNumber(each.getKey());
            sound.addField(
                    each.getKey(), field == null ? each.getValue() : withSoundTexts(each.getValue(), field, depth));
        }
        return sound.build().toByteString();
    }

    private static UnknownFieldSet.Field withSoundTexts(UnknownFieldSet.Field values, FieldDescriptor field, int depth)
            throws IOException {
        boolean text = field.getType() == FieldDescriptor.Type.STRING;
        if (!text && field.getType() != FieldDescriptor.Type.MESSAGE) {
            return values;
        }
        UnknownFieldSet.Field.Builder sound = UnknownFieldSet.Field.newBuilder();
        for (ByteString value : values.getLengthDelimitedList()) {
            sound.addLengthDelimited(
                    text
                            ? ByteString.copyFromUtf8(value.toStringUtf8())
                            : withSoundTexts(value, field.getMessageType(), depth - 1));
        }
        return sound.build();
    }
}
