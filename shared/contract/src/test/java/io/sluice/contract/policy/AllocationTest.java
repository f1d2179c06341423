package io.sluice.contract.policy;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** What stands on the way of every request leaves nothing for the garbage collector. */
class AllocationTest {
    private static final int RUNS = 200_000;
    private static final Request REQUEST = Request.of("tenant-acme-batch-7")
            .at("2001:db8:1:2:3:4:5:6")
            .on("orders", "/orders/{id}", "GET")
            .labelled("plan", "gold");

    @Test
    void matchingARequestAllocatesNothing() {
        Match match = Matches.except(
                Matches.of(Map.of(
                        "caller", List.of("x", "tenant-*batch*"),
                        "ip", List.of("10.0.0.0/8", "2001:db8::/32"),
                        "service", List.of("orders"),
                        "labels.plan", List.of("gold"))),
                Matches.of(Map.of("method", List.of("POST", "PUT"))));

        assertThat(bytesPerRun(() -> match.matches(REQUEST))).isLessThan(1);
    }

    @Test
    void choosingTheRulesOfASubjectAllocatesNothing() throws InvalidPolicies {
        Policy policy = Policies.policy("'per':['ip','caller'],'lock':{'when':[{'above':9}]},'limit':{'rate':'1/s'},"
                + "'overrides':[{'match':{'ip':'10.0.0.0/8'},'lock':{'release':'1%'},'limit':{'rate':'2/s'}},"
                + "{'match':{'caller':'tenant-*'},'lock':{'release':'2%'},'limit':{'rate':'3/s'}}]");
        List<String> subject = List.of("2001:db8:1:2::/64", "tenant-acme-batch-7");

        assertThat(bytesPerRun(() -> policy.lockFor(subject).release() == 0.02
                        && policy.limitFor(REQUEST).permits() == 3))
                .isLessThan(1);
    }

    private static double bytesPerRun(BooleanSupplier run) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (int i = 0; i < RUNS; i++) {
            assertTrue(run.getAsBoolean());
        }
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < RUNS; i++) {
            assertTrue(run.getAsBoolean());
        }
        return (threads.getCurrentThreadAllocatedBytes() - before) / (double) RUNS;
    }

    private static void assertTrue(boolean matched) {
        if (!matched) {
            throw new AssertionError("does not match what it should");
        }
    }
}
