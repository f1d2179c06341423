package io.sluice.contract.lock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CountPartsTest {
    private final CountParts parts = new CountParts(200);

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
}
