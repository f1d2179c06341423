package io.sluice.analyzer.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.TestBudgets;
import io.sluice.contract.usage.Load;
import io.sluice.contract.usage.UsageKey;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoadBookTest {
    private static final UsageKey GROUP = new UsageKey("s@1", List.of());

    private final LoadBook book = new LoadBook(TestBudgets.heap());
    private final LoadBook.Changes changes = book.changes(group -> true);

    private static Load asOf(long time) {
        return new Load(1, new long[1], new long[1], new long[1], 1, time);
    }

    private List<Load> drained() {
        List<Load> drained = new ArrayList<>();
        changes.drain((group, load) -> drained.add(load));
        return drained;
    }

    @Test
    void aChangeIsToldOnceInItsNewestForm() {
        Load newest = asOf(2);
        book.accept(GROUP, asOf(1));
        book.accept(GROUP, newest);

        assertThat(drained()).containsExactly(newest);
        assertThat(drained()).isEmpty();
    }

    @Test
    void everyReaderIsTold() {
        LoadBook.Changes other = book.changes(group -> true);
        book.accept(GROUP, asOf(1));
        drained();

        List<Load> told = new ArrayList<>();
        other.drain((group, load) -> told.add(load));

        assertThat(told).hasSize(1);
    }

    @Test
    void aReaderThatWasClosedIsToldNothing() {
        changes.close();
        book.accept(GROUP, asOf(1));

        assertThat(drained()).isEmpty();
    }

    @Test
    void anOlderLoadIsIgnored() {
        book.accept(GROUP, asOf(2));
        drained();

        book.accept(GROUP, asOf(1));

        assertThat(drained()).isEmpty();
        assertThat(book.load(GROUP)).extracting(Load::asOf).isEqualTo(2L);
    }

    @Test
    void aGroupThatIsGoneIsForgotten() {
        book.accept(GROUP, asOf(2));

        book.forget(GROUP);

        assertThat(book.load(GROUP)).isNull();
        assertThat(drained()).isEmpty();
    }
}
