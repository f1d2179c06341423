package io.sluice.analyzer.cli;

import java.nio.charset.Charset;
import java.util.List;

/** A row of little columns, the tallest as tall as the largest number; of many numbers some neighbours share one. */
final class Sparkline {
    private static final String BLOCKS = "▁▂▃▄▅▆▇█";
    private static final String PLAIN = "_.:-=+*#";
    private static final int WIDEST = 60;

    private Sparkline() {}

    /** In the letters that output can have here. */
    static String of(List<Double> values) {
        return of(values, Charset.defaultCharset().newEncoder().canEncode(BLOCKS));
    }

    /** A space is nothing at all; whatever there is, is seen. */
    static String of(List<Double> values, boolean blocks) {
        int columns = Math.min(WIDEST, values.size());
        double[] sums = new double[columns];
        double tallest = 0;
        for (int i = 0; i < values.size(); i++) {
            int column = (int) ((long) i * columns / values.size());
            sums[column] += values.get(i);
            tallest = Math.max(tallest, sums[column]);
        }
        String letters = blocks ? BLOCKS : PLAIN;
        StringBuilder line = new StringBuilder(columns);
        for (double sum : sums) {
            int height = (int) Math.ceil(sum / tallest * letters.length()) - 1;
            line.append(sum > 0 ? letters.charAt(Math.max(0, Math.min(letters.length() - 1, height))) : ' ');
        }
        return line.toString();
    }
}
