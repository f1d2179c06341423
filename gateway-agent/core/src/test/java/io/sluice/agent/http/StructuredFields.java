package io.sluice.agent.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.greenbytes.http.sfv.IntegerItem;
import org.greenbytes.http.sfv.ListElement;
import org.greenbytes.http.sfv.Parser;
import org.greenbytes.http.sfv.StringItem;

/** RateLimit fields as an independent parser reads them. */
final class StructuredFields {
    /** A list's member: a string and its parameters, Integers and Strings. */
    record Limit(String policy, Map<String, Object> parameters) {}

    private StructuredFields() {}

    /** @throws RuntimeException when it is no list of strings with such parameters */
    static List<Limit> read(String field) {
        List<Limit> limits = new ArrayList<>();
        for (ListElement<?> element : new Parser(field).parseList().get()) {
            StringItem name = (StringItem) element;
            Map<String, Object> parameters = new TreeMap<>();
            name.getParams()
                    .forEach((key, value) -> parameters.put(
                            key, value instanceof IntegerItem integer ? integer.get() : ((StringItem) value).get()));
            limits.add(new Limit(name.get(), parameters));
        }
        return limits;
    }
}
