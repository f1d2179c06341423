package io.sluice.analyzer.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.contract.json.BoundedJson;
import io.sluice.contract.json.PrintableText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** A JSON object in one line, for programs. */
final class JsonLine {
    private JsonLine() {}

    static String of(BoundedJson.Writer fields) {
        byte[] json = BoundedJson.write(to -> {
            to.writeStartObject();
            fields.write(to);
            to.writeEndObject();
        });
        return PrintableText.json(new String(json, StandardCharsets.UTF_8));
    }

    static void numbers(String field, Map<String, Long> numbers, JsonGenerator to) throws IOException {
        to.writeObjectFieldStart(field);
        for (Map.Entry<String, Long> number : numbers.entrySet()) {
            to.writeNumberField(number.getKey(), number.getValue());
        }
        to.writeEndObject();
    }
}
