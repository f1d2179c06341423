package io.sluice.contract.lock;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.contract.json.JsonObjectReader;
import io.sluice.contract.json.MalformedRecord;
import java.io.IOException;

/** The evidence inside a lock's JSON. Nothing is decided by it, so nothing in it is required. Thread-safe. */
public final class EvidenceJson {
    private EvidenceJson() {}

    /** As a value: an object with all that the evidence holds. */
    public static void write(Evidence evidence, JsonGenerator to) throws IOException {
        to.writeStartObject();
        to.writeStringField("detector", evidence.detector());
        to.writeNumberField("observed", evidence.observed());
        to.writeNumberField("threshold", evidence.threshold());
        to.writeStringField("measure", evidence.measure());
        to.writeNumberField("windowMillis", evidence.windowMillis());
        to.writeNumberField("sum", evidence.sum());
        to.writeNumberField("load", evidence.load());
        to.writeNumberField("crossed", evidence.crossed());
        to.writeNumberField("decided", evidence.decided());
        to.writeStringField("revision", evidence.revision());
        to.writeEndObject();
    }

    static Evidence read(JsonObjectReader object) throws MalformedRecord {
        String detector = "";
        double observed = 0;
        double threshold = 0;
        String measure = "";
        long windowMillis = 0;
        double sum = 0;
        double load = 0;
        long crossed = 0;
        long decided = 0;
        String revision = "";
        while (object.next()) {
            switch (object.field()) {
                case "detector" -> detector = object.text();
                case "observed" -> observed = object.number(0, Double.MAX_VALUE);
                case "threshold" -> threshold = object.number(0, Double.MAX_VALUE);
                case "measure" -> measure = object.text();
                case "windowMillis" -> windowMillis = object.whole(0, Long.MAX_VALUE);
                case "sum" -> sum = object.number(0, Double.MAX_VALUE);
                case "load" -> load = object.number(0, Double.MAX_VALUE);
                case "crossed" -> crossed = object.whole(0, Long.MAX_VALUE);
                case "decided" -> decided = object.whole(0, Long.MAX_VALUE);
                case "revision" -> revision = object.text();
                default -> object.skip();
            }
        }
        return new Evidence(
                detector, observed, threshold, measure, windowMillis, sum, load, crossed, decided, revision);
    }
}
