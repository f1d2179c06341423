package io.sluice.analyzer.replay;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Rows whose cells stand below each other. What comes from a caller must be printable before. */
final class Columns {
    private final List<List<String>> rows = new ArrayList<>();

    void row(List<String> cells) {
        rows.add(cells);
    }

    void print(PrintWriter out) {
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder(" ");
            for (int column = 0; column < row.size(); column++) {
                String cell = row.get(column);
                line.append(' ').append(cell).append(" ".repeat(width(column) - cell.length() + 1));
            }
            out.println(line.toString().stripTrailing());
        }
    }

    private int width(int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }
}
