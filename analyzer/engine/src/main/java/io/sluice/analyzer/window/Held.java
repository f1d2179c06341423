package io.sluice.analyzer.window;

/** Something in heap about one subject or group. Its key is all that it keeps of a name: a String is twice as much. */
abstract class Held {
    /** The key in the store, and in heap. */
    final byte[] storeKey;
    /** Whether it differs from what is stored. */
    boolean dirty;

    Held(byte[] storeKey) {
        this.storeKey = storeKey;
    }

    /** What it takes of the heap, about, in bytes; changes only while {@link GenerationalCache} is told of it. */
    abstract long bytes();
}
