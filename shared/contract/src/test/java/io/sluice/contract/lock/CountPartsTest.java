package io.sluice.contract.lock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CountPartsTest {
    private final CountParts parts = new CountParts(200, true);

    private static Map<String, Integer> policies(int many) {
        Map<String, Integer> counts = new HashMap<>();
        for (int i = 0; i < many; i++) {
            counts.put("policy-" + (1000 + i), i);
        }
        return counts;
    }

    @Test
    void next_fewNames_isAllOfThem() {
        assertThat(parts.next(policies(5))).isEqualTo(policies(5));
        assertThat(parts.next(policies(5))).isEqualTo(policies(5));
    }

    @Test
    void next_manyNames_isAPartInTurn() {
        Map<String, Integer> all = policies(100);
        Map<String, Integer> seen = new HashMap<>();
        for (int call = 0; call < 10; call++) {
            Map<String, Integer> part = parts.next(all);
            assertThat(part).hasSizeBetween(10, 14);
            seen.putAll(part);
        }

        assertThat(seen).isEqualTo(all);
    }

    @Test
    void next_nameThatIsLongerThanAPart_comesAlone() {
        String longest = "z".repeat(300);
        Map<String, Integer> all = Map.of("a", 1, longest, 2);

        assertThat(parts.next(all)).containsOnlyKeys("a");
        assertThat(parts.next(all)).containsOnlyKeys(longest);
        assertThat(parts.next(all)).containsOnlyKeys("a");
    }

    @Test
    void next_nameThatIsGone_isZeroOnce() {
        parts.next(Map.of("a", 1, "b", 2));

        assertThat(parts.next(Map.of("b", 2))).isEqualTo(Map.of("a", 0, "b", 2));
        assertThat(parts.next(Map.of("b", 2))).isEqualTo(Map.of("b", 2));
    }

    @Test
    void next_nameThatIsGone_isZeroInTheTurnOfItsPart() {
        Map<String, Integer> all = policies(100);
        Map<String, Integer> known = new HashMap<>();
        for (int call = 0; call < 10; call++) {
            known.putAll(parts.next(all));
        }
        all.remove("policy-1007");
        int zeros = 0;
        for (int call = 0; call < 30; call++) {
            Map<String, Integer> part = parts.next(all);
            zeros += part.getOrDefault("policy-1007", 1) == 0 ? 1 : 0;
            known.putAll(part);
        }

        assertThat(zeros).isEqualTo(1);
        assertThat(known).containsEntry("policy-1007", 0).containsAllEntriesOf(all);
    }

    @Test
    void next_withoutEnds_nameThatIsGone_isNotThere() {
        CountParts services = new CountParts(200, false);
        services.next(Map.of("a", 1, "b", 2));

        assertThat(services.next(Map.of("b", 2))).isEqualTo(Map.of("b", 2));
    }
}
