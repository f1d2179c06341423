package io.sluice.analyzer.replay;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.json.Node;
import io.sluice.contract.policy.InvalidPolicies;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.PolicySetJson;
import io.sluice.contract.policy.PolicySetReader;
import io.sluice.contract.policy.Problem;
import io.sluice.contract.policy.Unsupported;
import io.sluice.settings.FileErrors;
import io.sluice.settings.YamlNodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reads the policies to replay, YAML or JSON. */
public final class PolicyFile {
    private PolicyFile() {}

    /** @throws IOException with everything that is wrong in it, for the user */
    public static PolicySet read(Path file) throws IOException {
        byte[] bytes;
        try {
            bytes = Files.readAllBytes(file);
        } catch (IOException e) {
            throw new IOException(FileErrors.message(file, e), e);
        }
        return read(bytes, file.toString());
    }

    static PolicySet read(byte[] bytes, String name) throws IOException {
        try {
            Node root = PolicySetJson.written(YamlNodes.read(bytes, name));
            PolicySet set = PolicySetReader.read(root);
            List<Problem> unsupported = Unsupported.in(root);
            if (!unsupported.isEmpty()) {
                throw new InvalidPolicies(unsupported);
            }
            return set;
        } catch (MalformedRecord | InvalidPolicies e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
