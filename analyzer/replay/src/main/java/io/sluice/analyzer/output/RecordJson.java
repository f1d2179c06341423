package io.sluice.analyzer.output;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sluice.contract.json.PrintableText;

/**
 * JSON for programs, from records: a field for each component, in their order, except those that are {@code null}. Control characters are escaped.
 * Thread-safe.
 */
public final class RecordJson {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .defaultPropertyInclusion(
                    JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
            .build();

    private RecordJson() {}

    /** In one line. */
    public static String line(Object value) {
        return write(MAPPER.writer(), value);
    }

    /** Indented, to be read without a program. */
    public static String indented(Object value) {
        return write(MAPPER.writer(new DefaultPrettyPrinter()), value);
    }

    private static String write(ObjectWriter writer, Object value) {
        try {
            return PrintableText.json(writer.writeValueAsString(value));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("no JSON can be made of " + value.getClass(), e);
        }
    }
}
