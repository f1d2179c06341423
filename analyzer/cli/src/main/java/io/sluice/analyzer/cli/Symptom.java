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
 * @param remedy what to do; empty when all is well
 */
record Symptom(Grade grade, String about, String found, String remedy) {

    /** How bad it is. */
    enum Grade {
        WELL(Terminal.Ink.GOOD),
        DOUBTFUL(Terminal.Ink.WARNING),
        WRONG(Terminal.Ink.BAD);

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

    static Symptom well(String about, String found) {
        return new Symptom(Grade.WELL, about, found, "");
    }

    static Symptom doubtful(String about, String found, String remedy) {
        return new Symptom(Grade.DOUBTFUL, about, found, remedy);
    }

    static Symptom wrong(String about, String found, String remedy) {
        return new Symptom(Grade.WRONG, about, found, remedy);
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
