package io.sluice.contract.event;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The names of a source's JSON fields, found by their bytes. Events of one source mostly have their fields in one order, so each name remembers
 * the one that followed it last. Not thread-safe.
 */
final class EventNames {
    /** Names of fields that are not read are learned up to this number of names. */
    private static final int MOST_NAMES = 64;

    /** A name with its quotes and the colon. */
    static final class Name {
        private final byte[] text;
        /** What becomes of the field; {@code null} when it is not read. */
        final @Nullable EventTarget target;

        private @Nullable Name following;

        private Name(byte[] text, @Nullable EventTarget target) {
            this.text = text;
            this.target = target;
        }

        int length() {
            return text.length;
        }

        private boolean isAt(byte[] json, int at) {
            int end = at + text.length;
            return end <= json.length && Arrays.equals(json, at, end, text, 0, text.length);
        }
    }

    private final List<Name> names = new ArrayList<>();
    private final Name begin = new Name(new byte[0], null);
    private Name last = begin;

    EventNames(Map<String, EventTarget> targets) {
        targets.forEach((name, target) -> {
            byte[] text = ('"' + name + "\":").getBytes(StandardCharsets.UTF_8);
            if (isPlain(text)) {
                names.add(new Name(text, target));
            }
        });
    }

    private static boolean isPlain(byte[] text) {
        return text.length <= PlainEventReader.LONGEST_NAME && end(text, 1) == text.length - 2;
    }

    /** Another event begins. */
    void begin() {
        last = begin;
    }

    /** Returns the name at a position; {@code null} when it has escapes or other than ASCII characters, or is no name. */
    @Nullable
    Name at(byte[] json, int at) {
        Name name = last.following;
        if (name == null || !name.isAt(json, at)) {
            name = find(json, at);
            if (name == null) {
                return null;
            }
            last.following = name;
        }
        last = name;
        return name;
    }

    private @Nullable Name find(byte[] json, int at) {
        for (Name name : names) {
            if (name.isAt(json, at)) {
                return name;
            }
        }
        if (json[at] != '"') {
            return null;
        }
        int end = end(json, at + 1);
        if (end < 0 || end + 1 >= json.length || json[end + 1] != ':' || end + 2 - at > PlainEventReader.LONGEST_NAME) {
            return null;
        }
        Name unread = new Name(Arrays.copyOfRange(json, at, end + 2), null);
        if (names.size() < MOST_NAMES) {
            names.add(unread);
        }
        return unread;
    }

    /** Returns the position of the quote that ends a plain text; -1 for none. */
    private static int end(byte[] json, int from) {
        for (int i = from; i < json.length; i++) {
            byte b = json[i];
            if (b == '"') {
                return i;
            }
            if (b < ' ' || b == '\\' || b == 0x7f) {
                return -1;
            }
        }
        return -1;
    }
}
