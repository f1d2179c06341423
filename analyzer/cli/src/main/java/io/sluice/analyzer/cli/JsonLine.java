package io.sluice.analyzer.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.contract.json.BoundedJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** A JSON object in one line, for programs. */
final class JsonLine {
    private JsonLine() {}

    static String of(BoundedJson.Writer fields) {
        return new String(
                BoundedJson.write(to -> {
                    to.writeStartObject();
                    fields.write(to);
                    to.writeEndObject();
                }),
                StandardCharsets.UTF_8);
    }

    static void numbers(String field, Map<String, Long> numbers, JsonGenerator to) throws IOException {
        to.writeObjectFieldStart(field);
        for (Map.Entry<String, Long> number : numbers.entrySet()) {
            to.writeNumberField(number.getKey(), number.getValue());
        }
        to.writeEndObject();
    }
}
