package io.sluice.analyzer.ingest;

/** Where a reader stands in nested objects: the names on the way down, as one with dots between them. */
final class DottedName {
    // longer names match no field
    private static final int MAX_LENGTH = 256;

    private final Fields fields;
    private final byte[] name = new byte[MAX_LENGTH];
    private int length;

    DottedName(Fields fields) {
        this.fields = fields;
    }

    void begin() {
        length = 0;
    }

    /** The slot of the member with this name in the object at the reader's position, or -1 when it is not used. */
    int slot(byte[] json, int from, int to) {
        if (length == 0) {
            return fields.slot(json, from, to);
        }
        int whole = append(json, from, to);
        return whole < 0 ? -1 : fields.slot(name, 0, whole);
    }

    /** Goes down into the member with this name, when something that is wanted can stand there. */
    boolean enter(byte[] json, int from, int to) {
        int whole = append(json, from, to);
        if (whole < 0 || whole == MAX_LENGTH) {
            return false;
        }
        name[whole] = '.';
        if (!fields.anyBegins(name, whole + 1)) {
            return false;
        }
        length = whole + 1;
        return true;
    }

    /** How long the name is so far. */
    int length() {
        return length;
    }

    /** Comes up again to where the name was so long. */
    void leave(int before) {
        length = before;
    }

    /** The length with the member's name, which is written behind what stands there; -1 when it is too long. */
    private int append(byte[] json, int from, int to) {
        int whole = length + to - from;
        if (whole > MAX_LENGTH) {
            return -1;
        }
        System.arraycopy(json, from, name, length, to - from);
        return whole;
    }
}
