package io.sluice.contract.policy;

import io.sluice.contract.json.JsonNodes;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.json.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Policy sets as they stand on the policies topic: the document itself with {@code type}, {@code format} and, for the
 * active set, its {@code revision}.
 */
public final class PolicySetJson {
    /** Key of the set that an operator asks for. */
    public static final String DESIRED = "desired";

    /** Key of the set that the analyzer has validated and follows. */
    public static final String ACTIVE = "active";

    /** The largest set that is published, in bytes as {@link #writeActive} writes it: a record's key, signature and batch take the rest. */
    public static final int MAX_BYTES = JsonNodes.MAX_BYTES - 1024;

    private static final String TYPE = "policies";
    private static final int FORMAT = 1;
    private static final List<String> ENVELOPE = List.of("type", "format", "revision");
    /** What {@code policies list --json} adds to a record: what the fleet did, which cannot be set. */
    private static final String FLEET = "fleet";

    private PolicySetJson() {}

    /** The value for {@link #DESIRED}. */
    public static byte[] writeDesired(PolicySet set) {
        return write(set, List.of());
    }

    /** The value for {@link #ACTIVE}, with the set's revision. */
    public static byte[] writeActive(PolicySet set) {
        return write(set, List.of(Document.entry("revision", set.revision())));
    }

    private static byte[] write(PolicySet set, List<Node.Entry> more) {
        List<Node.Entry> entries = new ArrayList<>();
        entries.add(Document.entry("type", TYPE));
        entries.add(Document.entry("format", Document.number(FORMAT)));
        entries.addAll(more);
        entries.addAll(PolicyDocument.of(set).entries());
        return JsonNodes.write(Document.mapping(entries));
    }

    /**
     * The document inside a record.
     *
     * @throws MalformedRecord when it is not a policy record of a format that this version reads
     */
    public static Node document(byte[] value) throws MalformedRecord {
        if (!(JsonNodes.read(value, TYPE) instanceof Node.Mapping record)) {
            throw new MalformedRecord("policies: not a JSON object");
        }
        return document(record, ENVELOPE);
    }

    /**
     * The document inside a file, which may be a record, or a set in force as it is listed: then what is no part of a
     * document is left out.
     *
     * @throws MalformedRecord when it is a record of a format that this version does not read
     */
    public static Node written(Node file) throws MalformedRecord {
        return file instanceof Node.Mapping record && record.value("type") != null
                ? document(
                        record,
                        Stream.concat(ENVELOPE.stream(), Stream.of(FLEET)).toList())
                : file;
    }

    private static Node document(Node.Mapping record, List<String> around) throws MalformedRecord {
        if (!text(record, "type").equals(TYPE)) {
            throw new MalformedRecord("policies: type is not \"policies\"");
        }
        if (!text(record, "format").equals(Integer.toString(FORMAT))) {
            throw new MalformedRecord("policies: format is not " + FORMAT + ", the one that this version reads");
        }
        return new Node.Mapping(
                record.place(),
                record.entries().stream()
                        .filter(entry -> !around.contains(entry.key()))
                        .toList());
    }

    /**
     * Reads a {@link #DESIRED} record, strict about keys that this version does not know. Its size is not bounded: an earlier version may have
     * published it.
     */
    public static PolicySet readDesired(byte[] value) throws MalformedRecord, InvalidPolicies {
        return PolicySetReader.read(document(value), false);
    }

    /**
     * Reads either. Keys that this version does not know are passed over, except inside a match, which would become wider
     * than it was meant. The set has the revision that the record states, if any: it names what the analyzer follows.
     */
    public static PolicySet read(byte[] value) throws MalformedRecord, InvalidPolicies {
        PolicySet set = PolicySetReader.read(document(value), true);
        Node record = JsonNodes.read(value, TYPE);
        String stated = record instanceof Node.Mapping mapping ? text(mapping, "revision") : "";
        return stated.matches("[0-9a-f]{16}")
                ? new PolicySet(set.enforce(), set.allow(), set.guard(), set.policies(), stated)
                : set;
    }

    /** Returns whether it is a policy set at all, of whatever format and however wrong. */
    public static boolean isSet(byte[] value) {
        try {
            return JsonNodes.read(value, TYPE) instanceof Node.Mapping record
                    && text(record, "type").equals(TYPE);
        } catch (MalformedRecord e) {
            return false;
        }
    }

    private static String text(Node.Mapping record, String key) {
        return record.value(key) instanceof Node.Scalar scalar ? scalar.text() : "";
    }
}
