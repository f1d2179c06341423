package io.sluice.analyzer.cli;

import io.sluice.analyzer.output.RecordJson;
import io.sluice.analyzer.output.Terminal;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Result of one check.
 *
 * @param about what was looked at
 * @param found what was found, with figures
 * @param remedy what to do; empty for OK
 */
record Symptom(Grade grade, String about, String found, String remedy) {

    /** The result's severity. */
    enum Grade {
        OK(Terminal.Ink.GOOD),
        WARN(Terminal.Ink.WARNING),
        FAIL(Terminal.Ink.BAD);

        private final Terminal.Ink ink;

        Grade(Terminal.Ink ink) {
            this.ink = ink;
        }

        Terminal.Ink ink() {
            return ink;
        }

        String spelling() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static Symptom ok(String about, String found) {
        return new Symptom(Grade.OK, about, found, "");
    }

    static Symptom warn(String about, String found, String remedy) {
        return new Symptom(Grade.WARN, about, found, remedy);
    }

    static Symptom fail(String about, String found, String remedy) {
        return new Symptom(Grade.FAIL, about, found, remedy);
    }

    String json() {
        return RecordJson.line(new Json(grade.spelling(), about, found, remedy.isEmpty() ? null : remedy));
    }

    private record Json(
            String grade,
            String about,
            String found,
            @Nullable String remedy) {}
}
