package io.sluice.analyzer.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.MemberAssignment;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstanceCheckTest {
    private static final String PROCESS = "0a6f3f8e-1111-2222-3333-444455556666";

    private static MemberDescription member(String instance, String process) {
        return new MemberDescription(
                "consumer-1",
                Optional.of(instance),
                Optional.empty(),
                "sluice.sluice-analyzer-" + process + "-StreamThread-1-consumer",
                "/10.0.0.7",
                new MemberAssignment(Set.of()),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    @Test
    void other_memberOfAnotherProcess_isItsHost() {
        assertThat(InstanceCheck.other(List.of(member("a-2", "another")), "a", PROCESS))
                .contains("10.0.0.7");
        assertThat(InstanceCheck.other(List.of(member("a-1", "another")), "a", ""))
                .contains("10.0.0.7");
    }

    @Test
    void other_formerIncarnationWithTheSameStateDirectory_isNone() {
        assertThat(InstanceCheck.other(List.of(member("a-1", PROCESS)), "a", PROCESS))
                .isEmpty();
    }

    @Test
    void other_instancesOfOtherNames_areNone() {
        List<MemberDescription> members = List.of(member("b-1", "another"), member("a-b-1", "another"));

        assertThat(InstanceCheck.other(members, "a", PROCESS)).isEmpty();
    }

    @Test
    void afterFailure_brokerThatDoesNotAnswer_keepsTheMembersSeenBefore() {
        List<MemberDescription> former = List.of(member("a-1", "another"));

        assertThat(InstanceCheck.afterFailure(new TimeoutException("slow"), former))
                .isEqualTo(former);
        assertThat(InstanceCheck.afterFailure(new GroupIdNotFoundException("gone"), former))
                .isEmpty();
    }

    @Test
    void processId_ofAStateDirectory_isRead(@TempDir Path directory) throws Exception {
        assertThat(InstanceCheck.processId(directory)).isEmpty();

        Files.writeString(directory.resolve("kafka-streams-process-metadata"), "{\"processId\":\"" + PROCESS + "\"}");
        assertThat(InstanceCheck.processId(directory)).isEqualTo(PROCESS);
    }
}
