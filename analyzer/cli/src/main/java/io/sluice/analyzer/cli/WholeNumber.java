package io.sluice.analyzer.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a whole number within bounds; a subclass for each option has them, as picocli makes converters without arguments. */
public abstract class WholeNumber implements ITypeConverter<Integer> {
    private final int least;
    private final int most;

    /** Both bounds are allowed. */
    protected WholeNumber(int least, int most) {
        this.least = least;
        this.most = most;
    }

    @Override
    public final Integer convert(String text) {
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // answered below, together with what is allowed
        }
        throw new TypeConversionException(UsageErrors.found(text) + ", allowed is " + least + " to " + most);
    }
}
