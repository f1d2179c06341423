package io.sluice.settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;

/** Notices files with secrets that every user of the machine may read. */
final class SecretFiles {
    private SecretFiles() {}

    /** Returns a warning; empty when the file is private, is not there, or lies where there are no such permissions. */
    static Optional<String> warning(String key, Path file) {
        try {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
            return permissions.contains(PosixFilePermission.OTHERS_READ)
                    ? Optional.of(
                            key + ": every user can read " + file + " (" + PosixFilePermissions.toString(permissions)
                                    + "), which holds a secret; 'chmod o-r' ends that")
                    : Optional.empty();
        } catch (IOException | UnsupportedOperationException e) {
            return Optional.empty();
        }
    }
}
