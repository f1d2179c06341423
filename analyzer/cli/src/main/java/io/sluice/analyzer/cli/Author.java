package io.sluice.analyzer.cli;

/** The user of this command line. */
final class Author {
    private Author() {}

    static String name() {
        String name = System.getProperty("user.name", "");
        return name.isBlank() ? "unknown" : name;
    }
}
