package io.sluice.settings;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.policy.InvalidPolicies;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.PolicySetJson;
import io.sluice.contract.policy.PolicySetReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads a file of policies, YAML or JSON; also one that {@code policies list --json} has written. */
public final class PolicyFile {
    private PolicyFile() {}

    /**
     * Reads it whole or not at all.
     *
     * @throws IOException when the file cannot be read, with its name
     * @throws MalformedRecord when it is neither YAML nor JSON
     * @throws InvalidPolicies with all problems at once
     */
    public static PolicySet read(Path file) throws IOException, MalformedRecord, InvalidPolicies {
        byte[] content;
        try {
            content = Files.readAllBytes(file);
        } catch (IOException e) {
            throw new IOException(FileErrors.message(file, e), e);
        }
        return read(content, file.toString());
    }

    /**
     * Reads the content of a file.
     *
     * @param name of the file, for errors
     */
    public static PolicySet read(byte[] content, String name) throws MalformedRecord, InvalidPolicies {
        return PolicySetReader.read(PolicySetJson.written(YamlNodes.read(content, name)));
    }
}
