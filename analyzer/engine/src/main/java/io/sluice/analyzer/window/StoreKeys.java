package io.sluice.analyzer.window;

import io.sluice.contract.usage.UsageKey;

/** Keys under which several kinds of things about the same subjects share a store. */
final class StoreKeys {
    private StoreKeys() {}

    static byte[] of(byte prefix, UsageKey key) {
        byte[] plain = key.bytes();
        byte[] prefixed = new byte[plain.length + 1];
        prefixed[0] = prefix;
        System.arraycopy(plain, 0, prefixed, 1, plain.length);
        return prefixed;
    }
}
