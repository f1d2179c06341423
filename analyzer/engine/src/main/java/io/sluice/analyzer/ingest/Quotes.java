package io.sluice.analyzer.ingest;

/** Finds the quotes that mean something among those that stand inside a text. */
final class Quotes {
    private Quotes() {}

    /** The first quote that no backslash escapes, or -1. */
    static int next(byte[] line, int from, int to) {
        for (int i = from; i < to; i++) {
            if (line[i] == '\\') {
                i++;
            } else if (line[i] == '"') {
                return i;
            }
        }
        return -1;
    }

    /**
     * The quote that ends a request: a status stands behind it. Not every server escapes what clients send, so a quote
     * may be part of the path.
     *
     * @return -1 when there is none
     */
    static int requestEnd(byte[] line, int from, int to) {
        int quote = next(line, from, to);
        while (quote >= 0 && !status(line, quote + 1, to)) {
            quote = next(line, quote + 1, to);
        }
        return quote;
    }

    /** A space, three digits or a dash, and the end of the word. */
    private static boolean status(byte[] line, int from, int to) {
        if (from + 2 > to || line[from] != ' ') {
            return false;
        }
        int end = from + 1;
        while (end < to && line[end] >= '0' && line[end] <= '9') {
            end++;
        }
        boolean dash = end == from + 1 && line[end] == '-';
        end = dash ? end + 1 : end;
        return (dash || end == from + 4) && (end == to || line[end] == ' ');
    }

    /** The quote that ends a referer or a user agent: a space or nothing stands behind it. The line's end if none does. */
    static int closing(byte[] line, int from, int to) {
        int quote = next(line, from, to);
        while (quote >= 0 && quote + 1 < to && line[quote + 1] != ' ') {
            quote = next(line, quote + 1, to);
        }
        return quote < 0 ? to : quote;
    }

    /** {@code to}, moved in front of the quotes that end the text: those of a quoted line, or doubled ones. */
    static int before(byte[] line, int from, int to) {
        int end = to;
        while (end > from && line[end - 1] == '"') {
            end--;
        }
        return end;
    }
}
