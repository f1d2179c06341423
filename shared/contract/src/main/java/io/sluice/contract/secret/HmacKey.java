package io.sluice.contract.secret;

import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A secret key with a name, for HMAC-SHA-256 (RFC 2104). Immutable and thread-safe. */
public final class HmacKey {
    private static final String ALGORITHM = "HmacSHA256";

    private final String id;
    private final Mac keyed;

    HmacKey(String id, byte[] secret) {
        this.id = id;
        try {
            keyed = Mac.getInstance(ALGORITHM);
            keyed.init(new SecretKeySpec(secret, ALGORITHM));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HMAC-SHA-256", e);
        }
    }

    /** Returns the key's name, which is no secret. */
    public String id() {
        return id;
    }

    /** Returns the 32 bytes of the HMAC of these parts, one after the other. */
    public byte[] hash(byte[]... parts) {
        try {
            // a copy, because a Mac has state
            Mac mac = (Mac) keyed.clone();
            for (byte[] part : parts) {
                mac.update(part);
            }
            return mac.doFinal();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("the HMAC of every Java can be copied", e);
        }
    }

    /** Returns the id only. */
    @Override
    public String toString() {
        return id;
    }
}
