package io.sluice.settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;

/** Notices files with secrets that every user of the machine may read or change. A group may: that is how containers mount secrets. */
final class SecretFiles {
    private SecretFiles() {}

    /** Returns a warning; empty when the file is private, is not there, or lies where there are no such permissions. */
    static Optional<String> warning(String key, Path file) {
        try {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
            boolean read = permissions.contains(PosixFilePermission.OTHERS_READ);
            boolean written = permissions.contains(PosixFilePermission.OTHERS_WRITE);
            return read || written
                    ? Optional.of(
                            key + ": every user can " + (read && written ? "read and change" : read ? "read" : "change")
                                    + " " + file + " (" + PosixFilePermissions.toString(permissions)
                                    + "), which holds a secret; 'chmod o-rw' ends that")
                    : Optional.empty();
        } catch (IOException | UnsupportedOperationException e) {
            return Optional.empty();
        }
    }
}
