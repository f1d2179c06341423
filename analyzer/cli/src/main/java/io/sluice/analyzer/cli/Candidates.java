package io.sluice.analyzer.cli;

import java.util.Iterator;
import java.util.List;
import java.util.regex.Pattern;

/** Words that a shell completes. The completion script asks {@code candidates} for those that only the running system has. */
final class Candidates {
    /** In the generated script, stands for what {@code candidates policies} prints. */
    static final String POLICIES = "@policies";

    /** In the generated script, stands for what {@code candidates subjects} prints. */
    static final String SUBJECTS = "@subjects";

    /**
     * What a shell takes as it is. The completion script hands words to {@code compgen}, which runs the commands in them, and names are chosen by callers.
     */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._:@/+=%,-]+");

    private Candidates() {}

    /** Returns whether a word is harmless in a shell, whatever it does with it. Others are not offered. */
    static boolean harmless(String word) {
        return PLAIN.matcher(word).matches();
    }

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
