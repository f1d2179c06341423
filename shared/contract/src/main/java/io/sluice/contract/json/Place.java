package io.sluice.contract.json;

/**
 * Where in a document something stands.
 *
 * @param source the file's name, or what else the document came from
 * @param line counted from 1, or 0 where lines mean nothing
 */
public record Place(String source, int line) {

    /** {@code policies.yml:12}, as editors and compilers write it. */
    @Override
    public String toString() {
        return line > 0 ? source + ":" + line : source;
    }
}
