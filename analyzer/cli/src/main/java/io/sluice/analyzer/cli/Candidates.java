package io.sluice.analyzer.cli;

import java.util.Iterator;
import java.util.List;

/** Words that a shell completes. The completion script asks {@code candidates} for those that only the running system has. */
final class Candidates {
    /** In the generated script, stands for what {@code candidates policies} prints. */
    static final String POLICIES = "@policies";

    /** In the generated script, stands for what {@code candidates subjects} prints. */
    static final String SUBJECTS = "@subjects";

    private Candidates() {}

    /** The names of the policies in force. */
    static final class Policies implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of(POLICIES).iterator();
        }
    }

    /** The values of subjects that are locked or busy. */
    static final class Subjects implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of(SUBJECTS).iterator();
        }
    }

    /** The modes of an operator's lock. */
    static final class Modes implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of("block", "throttle", "shadow").iterator();
        }
    }
}
