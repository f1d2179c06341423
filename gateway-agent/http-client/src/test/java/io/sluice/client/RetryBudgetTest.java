package io.sluice.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

final class RetryBudgetTest {
    private static int drain(RetryBudget budget) {
        int retries = 0;
        while (budget.withdraw()) {
            retries++;
        }
        return retries;
    }

    @Test
    void startsWithItsReserveAndHoldsNoMore() {
        RetryBudget budget = new RetryBudget(3, 0.5);
        for (int i = 0; i < 100; i++) {
            budget.called();
        }
        assertThat(budget.full()).isTrue();
        assertThat(drain(budget)).isEqualTo(3);
        assertThat(budget.full()).isFalse();
    }

    @Test
    void everyFewCallsBringARetry() {
        RetryBudget budget = new RetryBudget(1, 0.2);
        drain(budget);
        for (int i = 0; i < 4; i++) {
            budget.called();
        }
        assertThat(budget.withdraw()).isFalse();
        budget.called();
        assertThat(drain(budget)).isEqualTo(1);
    }

    @Test
    void withoutReserveThereAreNoRetries() {
        RetryBudget budget = new RetryBudget(0, 1);
        budget.called();
        assertThat(budget.withdraw()).isFalse();
    }

    @Test
    void neverGivesMoreThanReserveAndItsPartOfTheCalls() {
        Random random = new Random(7);
        for (int run = 0; run < 200; run++) {
            int reserve = random.nextInt(20);
            double ratio = random.nextInt(101) / 100.0;
            RetryBudget budget = new RetryBudget(reserve, ratio);
            int calls = 0;
            int retries = 0;
            for (int i = 0; i < 500; i++) {
                if (random.nextBoolean()) {
                    budget.called();
                    calls++;
                } else if (budget.withdraw()) {
                    retries++;
                }
                assertThat((double) retries).isLessThanOrEqualTo(reserve + ratio * calls + 1e-6);
            }
        }
    }
}
