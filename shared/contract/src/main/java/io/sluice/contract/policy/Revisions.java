package io.sluice.contract.policy;

import io.sluice.contract.json.JsonNodes;
import io.sluice.contract.json.Node;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** Names for contents: the first 64 bits of SHA-256 over canonical JSON, so that equal contents have equal names. */
final class Revisions {
    private static final int BYTES = 8;

    private Revisions() {}

    /** Changes when the policy counts something else, and with nothing else. */
    static String ofPolicy(String name, Match match, List<Attribute> per, Measure measure, Window window) {
        Node.Mapping counted = Document.mapping(PolicyDocument.counted(match, per, measure, window));
        return name + "@" + of(counted);
    }

    static String of(Node canonical) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(JsonNodes.write(canonical));
            return HexFormat.of().formatHex(digest, 0, BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
