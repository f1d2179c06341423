package io.sluice.analyzer.cli;

/** Who sits at this command line. */
final class Author {
    private Author() {}

    static String name() {
        String name = System.getProperty("user.name", "");
        return name.isBlank() ? "unknown" : name;
    }
}
