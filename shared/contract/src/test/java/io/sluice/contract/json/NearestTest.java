package io.sluice.contract.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestTest {
    private static final List<String> WORDS = List.of("locks", "policies", "callers", "dead-letters", "doctor");

    @ParameterizedTest
    @CsvSource({
        "lokcs, locks",
        "lock, locks",
        "olcks, locks",
        "Locks, locks",
        "polices, policies",
        "policeis, policies",
        "caller, callers",
        "dead-leters, dead-letters",
        "dokter, doctor"
    })
    void to_wordWithFewEdits_isFound(String found, String meant) {
        assertThat(Nearest.to(found, WORDS)).isEqualTo(meant);
    }

    @ParameterizedTest
    @CsvSource({"x", "frobnicate", "list", "kcol"})
    void to_farWord_isNull(String found) {
        assertThat(Nearest.to(found, WORDS)).isNull();
    }

    @Test
    void to_longInput_isNull() {
        assertThat(Nearest.to("l".repeat(100_000), WORDS)).isNull();
    }
}
