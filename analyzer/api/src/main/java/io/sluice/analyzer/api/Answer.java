package io.sluice.analyzer.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.sluice.contract.json.PrintableText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A status and a JSON document. */
record Answer(int status, String json) {
    private static final JsonFactory JSON = new JsonFactory();

    /** Writes a part of a document. */
    interface Writer {
        void write(JsonGenerator to) throws IOException;
    }

    /** An object of these fields. */
    static Answer ok(Writer fields) {
        return object(200, fields);
    }

    static Answer problem(int status, String message) {
        return object(status, to -> to.writeStringField("error", message));
    }

    private static Answer object(int status, Writer fields) {
        return new Answer(status, text(to -> {
            to.writeStartObject();
            fields.write(to);
            to.writeEndObject();
        }));
    }

    static String text(Writer document) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator to = JSON.createGenerator(bytes)) {
            document.write(to);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return PrintableText.json(bytes.toString(StandardCharsets.UTF_8));
    }

    /** A record as it stands on its topic, with the broker's time of it. */
    static void record(byte[] json, long append, JsonGenerator to) throws IOException {
        to.writeStartObject();
        to.writeNumberField("appended", append);
        fields(json, to);
        to.writeEndObject();
    }

    /** The fields of an object, without its braces. */
    static void fields(byte[] json, JsonGenerator to) throws IOException {
        try (JsonParser read = JSON.createParser(json)) {
            read.nextToken();
            while (read.nextToken() == JsonToken.FIELD_NAME) {
                to.copyCurrentStructure(read);
            }
        }
    }

    static void texts(String field, List<String> values, JsonGenerator to) throws IOException {
        to.writeArrayFieldStart(field);
        for (String value : values) {
            to.writeString(value);
        }
        to.writeEndArray();
    }
}
