package io.sluice.contract.event;

/** One part of a path between slashes: its text, and whether it is a name or an id. */
final class PathSegment {
    private static final int LONGEST_NAME = 64;

    private PathSegment() {}

    /**
     * Returns the end of the segment that begins there. An escaped slash ends it as a slash does, because many servers match decoded paths; not
     * so in path parameters, which servers drop before they decode.
     */
    static int end(String path, int from, int to) {
        boolean parameters = false;
        for (int i = from; i < to; i++) {
            char c = path.charAt(i);
            if (c == '/' || (c == '%' && !parameters && isEscapedSlash(path, i, to))) {
                return i;
            }
            parameters |= c == ';';
        }
        return to;
    }

    private static boolean isEscapedSlash(String path, int at, int to) {
        return at + 2 < to && path.charAt(at + 1) == '2' && (path.charAt(at + 2) | ' ') == 'f';
    }

    /**
     * Without path parameters, and with escapes of the characters read that a segment may have unescaped: servers match decoded segments. Of
     * those {@code ;} stays escaped: it begins no parameters.
     */
    static String decoded(String path, int from, int to) {
        // a search beyond the segment would make long paths cost the square of their length
        int end = indexOf(path, ';', from, to);
        if (indexOf(path, '%', from, end) == end) {
            return path.substring(from, end);
        }
        StringBuilder segment = new StringBuilder(end - from);
        for (int i = from; i < end; i++) {
            char c = path.charAt(i);
            int escaped = c == '%' && i + 2 < end ? escaped(path.charAt(i + 1), path.charAt(i + 2)) : -1;
            if (escaped >= 0 && isPlain((char) escaped)) {
                segment.append((char) escaped);
                i += 2;
            } else {
                segment.append(c);
            }
        }
        return segment.toString();
    }

    private static int indexOf(String path, char wanted, int from, int to) {
        int i = from;
        while (i < to && path.charAt(i) != wanted) {
            i++;
        }
        return i;
    }

    private static int escaped(char high, char low) {
        int first = Character.digit(high, 16);
        int second = Character.digit(low, 16);
        return first < 0 || second < 0 ? -1 : (first << 4) | second;
    }

    /**
     * Returns whether a segment is data and not a name: numbers and dates, UUIDs and hashes, random tokens, {@code order-1234},
     * e-mail addresses, what needs escaping, and what is too long for a name.
     */
    static boolean isId(String segment) {
        int length = segment.length();
        int digits = 0;
        int hex = 0;
        int letters = 0;
        int dashes = 0;
        int others = 0;
        for (int i = 0; i < length; i++) {
            char c = segment.charAt(i);
            if (c >= '0' && c <= '9') {
                digits++;
            } else if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')) {
                hex++;
            } else if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
                letters++;
            } else if (c == '-' || c == '_') {
                dashes++;
            } else if (c == '%' || c == '@' || c < ' ' || c == 127) {
                return true;
            } else {
                others++;
            }
        }
        boolean number = digits > 0 && hex + letters == 0;
        boolean uuid = length == 36 && dashes == 4 && letters + others == 0;
        boolean hash = dashes + letters + others == 0 && (length >= 16 || (length >= 8 && digits >= 2));
        boolean token = length >= 20 && others == 0 && dashes <= 2 && digits >= 3;
        return length > LONGEST_NAME || number || uuid || hash || token || numbered(segment, digits);
    }

    /** A word, a dash or underscore, and a number of two digits or more: {@code order-1234}, but not {@code page-2}. */
    private static boolean numbered(String segment, int digits) {
        int start = segment.length();
        while (start > 0 && segment.charAt(start - 1) >= '0' && segment.charAt(start - 1) <= '9') {
            start--;
        }
        int run = segment.length() - start;
        return run >= 2 && run == digits && start > 1 && "-_".indexOf(segment.charAt(start - 1)) >= 0;
    }

    private static boolean isPlain(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || "-._~:@!$&'()*+,=".indexOf(c) >= 0;
    }
}
