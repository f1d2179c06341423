package io.sluice.analyzer.run;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.json.Node;
import io.sluice.contract.policy.InvalidPolicies;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.PolicySetJson;
import io.sluice.contract.policy.PolicySetReader;
import io.sluice.contract.policy.Problem;
import io.sluice.contract.policy.Unsupported;
import io.sluice.settings.YamlNodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Reads a policy set that this analyzer can follow, from a file or from the policies topic. */
public final class PolicyFile {
    private PolicyFile() {}

    /**
     * Reads a YAML or JSON file; the set in force as it is listed is one.
     *
     * @throws InvalidPolicies with all problems at once, also with what is not supported yet
     * @throws MalformedRecord when it is neither YAML nor JSON
     */
    public static PolicySet read(Path file) throws IOException, MalformedRecord, InvalidPolicies {
        return read(PolicySetJson.written(YamlNodes.read(Files.readAllBytes(file), file.toString())));
    }

    /** Reads the desired set on the policies topic. */
    static PolicySet desired(byte[] value) throws MalformedRecord, InvalidPolicies {
        return read(PolicySetJson.document(value));
    }

    /** Reads the set that some analyzer has published. A newer one may have put in what is no concern of ours. */
    static PolicySet active(byte[] value) throws MalformedRecord, InvalidPolicies {
        PolicySet set = PolicySetJson.read(value);
        refuseUnsupported(PolicySetJson.document(value));
        return set;
    }

    private static PolicySet read(Node document) throws InvalidPolicies {
        try {
            PolicySet set = PolicySetReader.read(document);
            refuseUnsupported(document);
            return set;
        } catch (InvalidPolicies wrong) {
            throw new InvalidPolicies(Stream.concat(wrong.problems().stream(), Unsupported.in(document).stream())
                    .distinct()
                    .toList());
        }
    }

    private static void refuseUnsupported(Node document) throws InvalidPolicies {
        List<Problem> unsupported = Unsupported.in(document);
        if (!unsupported.isEmpty()) {
            throw new InvalidPolicies(unsupported);
        }
    }
}
