package io.sluice.analyzer.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a number above 0, such as a rate. */
public final class PositiveNumber implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
        try {
            double number = Double.parseDouble(text);
            if (number > 0 && number <= Double.MAX_VALUE) {
                return number;
            }
        } catch (NumberFormatException e) {
            // answered below, together with what is allowed
        }
        throw new TypeConversionException(UsageErrors.found(text) + ", allowed is a number above 0");
    }
}
