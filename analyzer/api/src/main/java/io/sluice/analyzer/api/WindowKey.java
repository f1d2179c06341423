package io.sluice.analyzer.api;

import io.sluice.contract.lock.GateKeys;
import io.sluice.contract.policy.Policy;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Identifies a window: a policy and one of its subjects. */
record WindowKey(Policy policy, List<String> subject) {

    /** Returns the key of the subject's lock. */
    List<String> key() {
        return GateKeys.key(policy.name(), subject);
    }

    /** Returns the path under which another instance answers for it. */
    String localPath() {
        StringBuilder path = new StringBuilder("window?policy=").append(encoded(policy.name()));
        subject.forEach(value -> path.append("&subject=").append(encoded(value)));
        return path.toString();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
