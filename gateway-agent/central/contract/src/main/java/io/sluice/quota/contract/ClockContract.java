package io.sluice.quota.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.quota.QuotaStrategy;
import io.sluice.contract.policy.LimitRule.Algorithm;
import io.sluice.testing.ChildJvm;
import io.sluice.testing.NeededProgram;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The clocks of clients decide nothing. */
interface ClockContract extends ContractFixture {

    @Test
    @Tag("full")
    default void clientsWithWrongClocks_shareTheLimit() throws Exception {
        Path faketime = NeededProgram.find("faketime", "faketime");
        String subject = Limits.subject("clock");
        List<Algorithm> all = algorithms().toList();
        Map<Algorithm, Integer> granted = new EnumMap<>(Algorithm.class);
        QuotaStrategy client = connect();
        for (Algorithm algorithm : all) {
            granted.put(algorithm, Asked.takeAll(client, Limits.daily(algorithm, 10), subject, 4));
        }

        // longer than the window: a client whose clock decided would find the limit unused
        Process early = takeWithClock(faketime, "+25h", subject, 3);
        Process late = takeWithClock(faketime, "-25h", subject, 2);
        addGranted(early, granted);
        addGranted(late, granted);

        for (Algorithm algorithm : all) {
            int last = Asked.takeAll(client, Limits.daily(algorithm, 10), subject, 20);
            assertThat(granted.getOrDefault(algorithm, 0) + last)
                    .as("%s", algorithm)
                    .isBetween(10 - (int) (3 * ahead(10)), 10);
        }
    }

    private Process takeWithClock(Path faketime, String offset, String subject, int most) throws Exception {
        List<String> command = new ArrayList<>(List.of(faketime.toString(), "-m", "-f", offset));
        command.addAll(ChildJvm.command(List.of(), TakingClient.class));
        command.addAll(List.of(strategy(), subject, Integer.toString(most)));
        centre().settings().forEach((key, value) -> command.add(key + '=' + value));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        // as on a machine with a wrong clock: time passes as fast as elsewhere
        builder.environment().put("FAKETIME_DONT_FAKE_MONOTONIC", "1");
        // what is meant to mend waiting by the monotonic clock makes every wait end at once
        builder.environment().put("FAKETIME_FORCE_MONOTONIC_FIX", "0");
        builder.environment().put("DONT_FAKE_MONOTONIC", "1");
        Process process = builder.start();
        process.getOutputStream().close();
        return process;
    }

    private static void addGranted(Process process, Map<Algorithm, Integer> granted) throws Exception {
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        output.lines()
                .filter(line -> line.startsWith(TakingClient.GRANTED))
                .map(line -> line.split(" ", 3))
                .forEach(fields ->
                        granted.merge(Algorithm.valueOf(fields[1]), Integer.valueOf(fields[2]), Integer::sum));
        assertThat(output).contains(TakingClient.GRANTED);
    }
}
