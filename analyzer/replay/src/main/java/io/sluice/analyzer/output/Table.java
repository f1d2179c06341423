package io.sluice.analyzer.output;

import io.sluice.contract.json.PrintableText;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Rows whose cells are aligned in columns. Cells can hold text of callers: it is made printable. */
public final class Table {
    private final List<List<String>> rows = new ArrayList<>();
    private final List<Terminal.Ink> inks = new ArrayList<>();

    private final String indent;

    /** A table with a heading for each column. */
    public Table(List<String> head) {
        this("", head);
    }

    /** @param indent in front of each row */
    public Table(String indent, List<String> head) {
        this.indent = indent;
        row(head);
    }

    /** Adds a row with a cell for each column. */
    public void row(List<String> cells) {
        row(Terminal.Ink.PLAIN, cells);
    }

    /** Adds a row in a colour. */
    public void row(Terminal.Ink ink, List<String> cells) {
        rows.add(cells.stream().map(PrintableText::of).toList());
        inks.add(ink);
    }

    /** Prints it without colours. */
    public void print(PrintWriter out) {
        print(out, new Terminal(false, false));
    }

    /** Prints it in the colours that the terminal allows. */
    public void print(PrintWriter out, Terminal terminal) {
        int columns = rows.get(0).size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], DisplayWidth.of(row.get(i)));
            }
        }
        for (int number = 0; number < rows.size(); number++) {
            List<String> row = rows.get(number);
            StringBuilder line = new StringBuilder(indent);
            for (int i = 0; i < columns; i++) {
                line.append(DisplayWidth.pad(row.get(i), widths[i] + 2));
            }
            out.println(terminal.paint(inks.get(number), line.toString().stripTrailing()));
        }
    }
}
