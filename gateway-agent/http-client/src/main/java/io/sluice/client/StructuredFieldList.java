package io.sluice.client;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Parser of a structured field (RFC 9651) that is a list of strings with parameters. Integer parameters are kept, others are skipped. Anything
 * else fails as a whole.
 */
final class StructuredFieldList {
    private static final int MOST_DIGITS = 15;
    private static final int MOST_WHOLE_DIGITS = 12;
    private static final int MOST_FRACTION_DIGITS = 3;

    /**
     * One string of the list.
     *
     * @param name the string
     * @param integers its integer parameters; of duplicates the last
     */
    record Member(String name, Map<String, Long> integers) {}

    private static final class Malformed extends Exception {
        private static final long serialVersionUID = 1;

        Malformed() {
            super(null, null, false, false);
        }
    }

    private final String text;
    private int at;

    private StructuredFieldList(String text) {
        this.text = text;
    }

    static Optional<List<Member>> parse(String text) {
        try {
            return Optional.of(new StructuredFieldList(text).members());
        } catch (Malformed e) {
            return Optional.empty();
        }
    }

    private List<Member> members() throws Malformed {
        List<Member> members = new ArrayList<>();
        skip(" ");
        while (at < text.length()) {
            members.add(new Member(string(), parameters()));
            skip(" \t");
            if (at == text.length()) {
                break;
            }
            expect(',');
            skip(" \t");
            require(at < text.length());
        }
        return members;
    }

    private Map<String, Long> parameters() throws Malformed {
        Map<String, Long> integers = new HashMap<>();
        while (peek() == ';') {
            at++;
            skip(" ");
            String key = key();
            integers.remove(key);
            if (peek() == '=') {
                at++;
                Optional<Long> integer = bare();
                integer.ifPresent(it -> integers.put(key, it));
            }
        }
        return integers;
    }

    private String key() throws Malformed {
        int from = at;
        char first = peek();
        require(first == '*' || lower(first));
        while (lower(peek()) || digit(peek()) || "_-.*".indexOf(peek()) >= 0) {
            at++;
        }
        return text.substring(from, at);
    }

    /** An integer's value; empty for a value of another type. */
    private Optional<Long> bare() throws Malformed {
        char first = peek();
        if (first == '-' || digit(first)) {
            return number();
        }
        if (first == '"') {
            string();
        } else if (first == '?') {
            at++;
            require(peek() == '0' || peek() == '1');
            at++;
        } else if (first == ':') {
            bytes();
        } else if (first == '@') {
            at++;
            require(number().isPresent());
        } else if (first == '%') {
            display();
        } else {
            token();
        }
        return Optional.empty();
    }

    private Optional<Long> number() throws Malformed {
        int from = at;
        if (peek() == '-') {
            at++;
        }
        int whole = digits();
        if (peek() == '.') {
            at++;
            int fraction = digits();
            require(whole <= MOST_WHOLE_DIGITS && fraction <= MOST_FRACTION_DIGITS);
            return Optional.empty();
        }
        require(whole <= MOST_DIGITS);
        return Optional.of(Long.parseLong(text.substring(from, at)));
    }

    private int digits() throws Malformed {
        int from = at;
        while (digit(peek())) {
            at++;
        }
        require(at > from);
        return at - from;
    }

    private String string() throws Malformed {
        expect('"');
        StringBuilder string = new StringBuilder();
        while (peek() != '"') {
            if (peek() == '\\') {
                at++;
                require(peek() == '"' || peek() == '\\');
            }
            require(peek() >= ' ' && peek() <= '~');
            string.append(peek());
            at++;
        }
        at++;
        return string.toString();
    }

    private void bytes() throws Malformed {
        at++;
        while (peek() != ':') {
            require(digit(peek()) || letter(peek()) || "+/=".indexOf(peek()) >= 0);
            at++;
        }
        at++;
    }

    private void display() throws Malformed {
        at++;
        expect('"');
        while (peek() != '"') {
            require(peek() >= ' ' && peek() <= '~');
            if (peek() == '%') {
                require(hex(at + 1) && hex(at + 2));
                at += 2;
            }
            at++;
        }
        at++;
    }

    private boolean hex(int index) {
        return index < text.length() && "0123456789abcdef".indexOf(text.charAt(index)) >= 0;
    }

    private void token() throws Malformed {
        require(peek() == '*' || letter(peek()));
        while (digit(peek()) || letter(peek()) || "!#$%&'*+-.^_`|~:/".indexOf(peek()) >= 0) {
            at++;
        }
    }

    /** The next character; 0, which stands nowhere in a field, at the end. */
    private char peek() {
        return at < text.length() ? text.charAt(at) : 0;
    }

    private void skip(String blanks) {
        while (at < text.length() && blanks.indexOf(peek()) >= 0) {
            at++;
        }
    }

    private void expect(char c) throws Malformed {
        require(peek() == c);
        at++;
    }

    private static void require(boolean holds) throws Malformed {
        if (!holds) {
            throw new Malformed();
        }
    }

    private static boolean digit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean lower(char c) {
        return c >= 'a' && c <= 'z';
    }

    private static boolean letter(char c) {
        return lower(c) || (c >= 'A' && c <= 'Z');
    }
}
