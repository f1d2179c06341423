package io.sluice.analyzer.window;

/** Cached state of one subject or group. It keeps the encoded key, which takes half the bytes of strings. */
abstract class Held {
    /** The key, in the store and in heap. */
    final byte[] storeKey;
    /** Returns whether it differs from the stored state. */
    boolean dirty;

    Held(byte[] storeKey) {
        this.storeKey = storeKey;
    }

    /** Returns the estimated size in bytes; changes are reported to {@link GenerationalCache}. */
    abstract long bytes();
}
