package io.sluice.settings;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** One wording for files that cannot be read, in all commands and settings. */
public final class FileErrors {
    private FileErrors() {}

    /** Returns {@code FILE: no such file}, {@code FILE: permission denied}, {@code FILE: is a directory}, or why else. */
    public static String message(Path file, IOException failure) {
        if (file.toString().isEmpty()) {
            return "the name of the file is empty, such as from an empty variable of a shell";
        }
        if (failure instanceof NoSuchFileException) {
            return file + ": no such file";
        }
        if (failure instanceof AccessDeniedException) {
            return file + ": permission denied";
        }
        if (Files.isDirectory(file)) {
            return file + ": is a directory";
        }
        return file + ": cannot be read: " + failure.getMessage();
    }
}
