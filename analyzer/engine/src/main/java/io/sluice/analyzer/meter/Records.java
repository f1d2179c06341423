package io.sluice.analyzer.meter;

import java.util.Arrays;

/**
 * Records of the same number of longs, in pages of arrays: a million of them cost the garbage collector nothing, and one more takes a page at
 * most. Records are numbered from 0 and are never removed. Not thread-safe.
 */
final class Records {
    private static final int PAGE_BITS = 10;
    private static final int PAGE = 1 << PAGE_BITS;
    /** Of a first page, which grows before a second is begun. */
    private static final int LEAST = 16;

    private final int width;
    private long[][] pages = {};
    private int capacity;
    private int size;

    /** @param width longs of a record */
    Records(int width) {
        this.width = width;
    }

    /** Number of records. */
    int size() {
        return size;
    }

    /** Bytes of heap that they take. */
    long bytes() {
        return (long) capacity * width * Long.BYTES + (long) pages.length * Long.BYTES;
    }

    /** Bytes of heap that one more record would add; mostly 0. */
    long growth() {
        if (size < capacity) {
            return 0;
        }
        long page = (long) more() * width * Long.BYTES;
        return size >>> PAGE_BITS < pages.length ? page : page + (long) (morePages() - pages.length) * Long.BYTES;
    }

    private int more() {
        return capacity == 0 ? LEAST : Math.min(capacity, PAGE);
    }

    private int morePages() {
        return Math.max(1, pages.length * 2);
    }

    /** Adds a record of zeros and returns its number. */
    int add() {
        if (size == capacity) {
            grow();
        }
        return size++;
    }

    private void grow() {
        int more = more();
        int page = capacity >>> PAGE_BITS;
        if (page == pages.length) {
            pages = Arrays.copyOf(pages, morePages());
        }
        long[] first = capacity < PAGE ? pages[0] : null;
        pages[page] = first == null ? new long[more * width] : Arrays.copyOf(first, (capacity + more) * width);
        capacity += more;
    }

    long get(int record, int field) {
        return pages[record >>> PAGE_BITS][(record & (PAGE - 1)) * width + field];
    }

    void set(int record, int field, long value) {
        pages[record >>> PAGE_BITS][(record & (PAGE - 1)) * width + field] = value;
    }

    void add(int record, int field, long more) {
        pages[record >>> PAGE_BITS][(record & (PAGE - 1)) * width + field] += more;
    }

    /** Copies fields of a record to the begin of an array. */
    void get(int record, int field, long[] to, int length) {
        System.arraycopy(pages[record >>> PAGE_BITS], (record & (PAGE - 1)) * width + field, to, 0, length);
    }

    /** Copies the begin of an array to fields of a record. */
    void set(int record, int field, long[] from, int length) {
        System.arraycopy(from, 0, pages[record >>> PAGE_BITS], (record & (PAGE - 1)) * width + field, length);
    }
}
