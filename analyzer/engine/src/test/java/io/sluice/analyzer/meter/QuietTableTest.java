package io.sluice.analyzer.meter;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Seeds;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Values of a few entries come, move to later panes, are removed and copied. */
class QuietTableTest {
    private static final int ENTRIES = 5;
    private static final int STEPS = 5_000;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Seeds.of(4, 100));
    }

    private static QuietTable table(long base) {
        QuietTable table = new QuietTable(base, 1, QuietTable.NONE, true);
        for (int entry = 0; entry < ENTRIES; entry++) {
            table.add(entry, base);
        }
        return table;
    }

    private static int valuesListed(QuietTable table, int entry) {
        int values = 0;
        Set<String> different = new HashSet<>();
        boolean requests = false;
        for (int cell = table.firstCell(entry);
                cell != QuietTable.NONE;
                cell = table.cells().next(cell)) {
            long value = table.cells().amount(cell, 0);
            if (value == QuietTable.NO_VALUE) {
                requests = true;
            } else {
                values++;
                assertThat(requests).as("values are in front of plain requests").isFalse();
                assertThat(different.add(value + " " + table.cells().sent(cell)))
                        .isTrue();
            }
        }
        return values;
    }

    private static void assertOldestFirst(QuietTable table, int entry) {
        PaneCells cells = table.cells();
        int[] inOrder = cells.inOrder(table.firstCell(entry));
        Set<Integer> listed = new HashSet<>();
        for (int cell = table.firstCell(entry); cell != QuietTable.NONE; cell = cells.next(cell)) {
            listed.add(cell);
        }
        assertThat(inOrder)
                .containsExactlyInAnyOrder(
                        listed.stream().mapToInt(cell -> cell).toArray());
        assertThat(Arrays.stream(inOrder).mapToObj(cells::pane).toList()).isSorted();
    }

    @Tag(Seeds.TAG)
    @ParameterizedTest
    @MethodSource("seeds")
    void theListOfAnEntry_hasEachValueOnce_beforePlainRequests(long seed) {
        Random random = new Random(seed);
        long pane = 1_000;
        QuietTable table = table(pane);
        for (int step = 0; step < STEPS; step++) {
            int entry = table.find(random.nextInt(ENTRIES));
            pane += random.nextInt(50) == 0 ? 1 : 0;
            table.putValue(entry, pane - random.nextInt(3), random.nextInt(2), 7, 1, new long[] {random.nextInt(40)});
            switch (random.nextInt(200)) {
                case 0 -> table.trim(entry, pane - 2);
                case 1 -> table.trim(entry, Long.MAX_VALUE);
                case 2 -> table = copy(table, pane);
                case 3 -> assertOldestFirst(table, entry);
                default -> {}
            }
            assertThat(table.values(entry)).isEqualTo(valuesListed(table, entry));
        }
        for (int entry = 0; entry < ENTRIES; entry++) {
            assertThat(table.values(entry)).isEqualTo(valuesListed(table, entry));
        }
    }

    private static QuietTable copy(QuietTable from, long base) {
        QuietTable to = table(base);
        for (int entry = 0; entry < ENTRIES; entry++) {
            PaneCells cells = from.cells();
            int last = QuietTable.NONE;
            for (int cell = from.firstCell(entry); cell != QuietTable.NONE; cell = cells.next(cell)) {
                last = to.copy(entry, last, cells, cell);
            }
        }
        return to;
    }
}
