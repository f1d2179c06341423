package io.sluice.examples.alb;

import java.util.ArrayList;
import java.util.List;

/** Takes a line apart at its spaces; what stands in quotes is one field. AWS writes a quote inside them as {@code \x22}. */
final class AlbLine {
    private AlbLine() {}

    /** The first so many fields, fewer where the line ends before. */
    static List<String> fields(String line, int most) {
        List<String> fields = new ArrayList<>(most);
        int at = 0;
        while (at < line.length() && fields.size() < most) {
            boolean quoted = line.charAt(at) == '"';
            int from = quoted ? at + 1 : at;
            int end = line.indexOf(quoted ? '"' : ' ', from);
            end = end < 0 ? line.length() : end;
            fields.add(line.substring(from, end));
            at = quoted ? end + 2 : end + 1;
        }
        return fields;
    }
}
