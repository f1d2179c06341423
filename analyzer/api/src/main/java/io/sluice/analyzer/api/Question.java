package io.sluice.analyzer.api;

import io.sluice.contract.json.Nearest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The question.
 *
 * @param path the parts of the path behind {@code /api/v1}, decoded
 * @param options what stands behind the question mark, decoded; a name may stand there several times
 */
record Question(List<String> path, Map<String, List<String>> options) {

    /** A request that is malformed. */
    static final class Wrong extends Exception {
        private static final long serialVersionUID = 1;

        final int status;

        Wrong(int status, String message) {
            super(message, null, false, false);
            this.status = status;
        }
    }

    /**
     * Takes a question apart.
     *
     * @param rawPath as it was sent, behind {@code /api/v1}
     * @throws IllegalArgumentException when a {@code %} is not followed by two hexadecimal digits
     */
    static Question of(String rawPath, @Nullable String rawQuery) {
        List<String> path = new ArrayList<>();
        for (String part : rawPath.substring(1).split("/", -1)) {
            // a plus is a plus in a path
            path.add(URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8));
        }
        Map<String, List<String>> options = new LinkedHashMap<>();
        for (String pair : rawQuery == null || rawQuery.isEmpty() ? new String[0] : rawQuery.split("&", -1)) {
            int equals = pair.indexOf('=');
            String name = decoded(equals < 0 ? pair : pair.substring(0, equals));
            options.computeIfAbsent(name, any -> new ArrayList<>())
                    .add(equals < 0 ? "" : decoded(pair.substring(equals + 1)));
        }
        return new Question(path, options);
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    /** Only these may be asked for. */
    void allow(List<String> names) throws Wrong {
        for (String name : options.keySet()) {
            if (!names.contains(name)) {
                String nearest = Nearest.to(name, names);
                throw new Wrong(
                        400,
                        "there is no option " + name
                                + (nearest == null ? ", allowed: " + names : ", did you mean " + nearest + "?"));
            }
        }
    }

    /** Returns all values of a parameter, in order. */
    List<String> all(String name) {
        return options.getOrDefault(name, List.of());
    }

    /** Returns the last value of a parameter, {@code null} for none. */
    @Nullable
    String last(String name) {
        List<String> said = all(name);
        return said.isEmpty() ? null : said.get(said.size() - 1);
    }

    int number(String name, int fallback, int least, int most) throws Wrong {
        String said = last(name);
        if (said == null) {
            return fallback;
        }
        int number = said.matches("[0-9]{1,9}") ? Integer.parseInt(said) : -1;
        if (number < least || number > most) {
            throw new Wrong(400, name + ": found " + said + ", allowed is " + least + " to " + most);
        }
        return number;
    }
}
