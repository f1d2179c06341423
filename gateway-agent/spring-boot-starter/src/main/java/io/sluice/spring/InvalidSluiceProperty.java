package io.sluice.spring;

/** A property that no gate can be made of. */
final class InvalidSluiceProperty extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String property;

    /**
     * @param property its name, or that of the group it is in
     * @param problem what was found, and what is allowed
     */
    InvalidSluiceProperty(String property, String problem, Throwable cause) {
        super(property + ": " + problem, cause);
        this.property = property;
    }

    InvalidSluiceProperty(String property, String problem) {
        super(property + ": " + problem);
        this.property = property;
    }

    String property() {
        return property;
    }
}
