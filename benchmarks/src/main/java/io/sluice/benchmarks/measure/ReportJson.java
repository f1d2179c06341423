package io.sluice.benchmarks.measure;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;

/** A report for programs. */
public final class ReportJson {

    private static final JsonFactory JSON = new JsonFactory();

    private ReportJson() {}

    public static void write(Report report, Instant date, OutputStream out) throws IOException {
        try (JsonGenerator json = JSON.createGenerator(out)) {
            json.useDefaultPrettyPrinter();
            json.writeStartObject();
            json.writeStringField("benchmark", report.benchmark());
            json.writeStringField("machine", Machine.describe());
            json.writeStringField("date", date.toString());
            json.writeArrayFieldStart("results");
            for (Series series : report.results()) {
                json.writeStartObject();
                json.writeStringField("name", series.name());
                json.writeStringField("unit", series.unit());
                json.writeNumberField("median", series.median());
                json.writeNumberField("least", series.least());
                json.writeNumberField("most", series.most());
                json.writeArrayFieldStart("samples");
                for (double sample : series.samples()) {
                    json.writeNumber(sample);
                }
                json.writeEndArray();
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeObjectFieldStart("ratios");
            for (Report.Ratio ratio : report.ratios()) {
                json.writeNumberField(ratio.name(), ratio.value());
            }
            json.writeEndObject();
            json.writeObjectFieldStart("goals");
            for (Report.Ratio ratio : report.ratios()) {
                if (ratio.goal() != null) {
                    goal(json, ratio.name(), ratio.goal(), ratio.value());
                }
            }
            json.writeEndObject();
            json.writeEndObject();
        }
    }

    private static void goal(JsonGenerator json, String name, Goal goal, double ratio) throws IOException {
        json.writeObjectFieldStart(name);
        json.writeNumberField(goal.side() == Goal.Side.AT_MOST ? "atMost" : "atLeast", goal.bound());
        json.writeNumberField("guard", goal.guard());
        json.writeBooleanField("met", goal.of(ratio) == Goal.Outcome.MET);
        json.writeEndObject();
    }
}
