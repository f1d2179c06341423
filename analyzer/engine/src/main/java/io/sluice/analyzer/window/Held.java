package io.sluice.analyzer.window;

/** Something in heap about one subject or group. Its key is all that it keeps of a name: a String is twice as much. */
class Held {
    /** The key in the store, and in heap. */
    final byte[] storeKey;

    Held(byte[] storeKey) {
        this.storeKey = storeKey;
    }

    /** What it takes of the heap, about; 0 where that is always the same little, and only the number counts. */
    long bytes() {
        return 0;
    }
}
