package io.sluice.analyzer.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Columns for people. What stands in a cell can come from a caller: control characters never reach the terminal. */
final class Table {
    private final List<List<String>> rows = new ArrayList<>();
    private final List<Terminal.Ink> inks = new ArrayList<>();

    Table(List<String> head) {
        rows.add(head);
        inks.add(Terminal.Ink.PLAIN);
    }

    void row(List<String> cells) {
        row(Terminal.Ink.PLAIN, cells);
    }

    void row(Terminal.Ink ink, List<String> cells) {
        rows.add(cells.stream().map(Table::printable).toList());
        inks.add(ink);
    }

    void print(PrintWriter out) {
        print(out, new Terminal(false, false));
    }

    void print(PrintWriter out, Terminal terminal) {
        int columns = rows.get(0).size();
        for (int number = 0; number < rows.size(); number++) {
            List<String> row = rows.get(number);
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                String cell = row.get(i);
                line.append(cell);
                if (i < columns - 1) {
                    line.append(" ".repeat(width(i) - cell.length() + 2));
                }
            }
            out.println(terminal.paint(inks.get(number), line.toString().stripTrailing()));
        }
    }

    private int width(int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }

    /** Escape sequences, line breaks and marks that turn the direction of writing become a question mark. */
    static String printable(String text) {
        StringBuilder safe = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            int type = Character.getType(c);
            boolean harmful = type == Character.CONTROL
                    || type == Character.FORMAT
                    || type == Character.LINE_SEPARATOR
                    || type == Character.PARAGRAPH_SEPARATOR
                    || type == Character.SURROGATE;
            safe.appendCodePoint(harmful ? '?' : c);
        });
        return safe.toString();
    }
}
