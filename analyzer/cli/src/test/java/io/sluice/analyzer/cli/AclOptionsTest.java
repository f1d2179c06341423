package io.sluice.analyzer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.contract.topic.TopicNames;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class AclOptionsTest {
    private static final Role.Places PLACES = new Role.Places(
            new TopicNames("sluice."), List.of("sluice.requests", "nginx.access"), "sluice.analyzer", false, null);

    private static List<AclBinding> bindings(String... principals) throws Refused {
        List<String> words = new ArrayList<>(List.of("--acls"));
        for (String principal : principals) {
            words.addAll(List.of("--principal", principal));
        }
        return CommandLine.populateCommand(new AclOptions(), words.toArray(String[]::new))
                .bindings(PLACES);
    }

    private static List<String> writes(String principal, List<AclBinding> bindings) {
        return bindings.stream()
                .filter(it -> it.entry().principal().equals(principal))
                .filter(it -> it.entry().operation() == AclOperation.WRITE)
                .map(it -> it.pattern().name())
                .toList();
    }

    @Test
    void publisher_writesAllSources() throws Exception {
        assertThat(writes("User:shop", bindings("publisher=User:shop")))
                .containsExactly("sluice.requests", "nginx.access");
    }

    @Test
    void publisherOfATopic_writesThatSourceOnly() throws Exception {
        assertThat(writes("User:shop", bindings("publisher@nginx.access=User:shop")))
                .containsExactly("nginx.access");
    }

    @Test
    void agentOfATopic_writesThatSourceAndItsHeartbeat() throws Exception {
        List<AclBinding> bindings =
                bindings("agent@nginx.access=User:orders@REALM", "agent=User:carts", "agent@nginx.access=User:shop");

        assertThat(writes("User:orders@REALM", bindings)).containsExactly("nginx.access", "sluice.agents");
        assertThat(writes("User:carts", bindings)).containsExactly("sluice.requests", "sluice.agents");
        assertThat(writes("User:shop", bindings)).containsExactly("nginx.access", "sluice.agents");
    }

    /** No broker answers there. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--principal agent=User:x         | --principal: only together with --acls",
                "--acls --principal nobody=User:x | found role 'nobody'",
            })
    void topicsCreate_wrongPrincipal_isRefusedBeforeAnythingIsCreated(String options, String message) {
        List<String> words = new ArrayList<>(List.of("topics", "create", "--bootstrap", "127.0.0.1:1"));
        words.addAll(List.of(options.split(" ", -1)));

        assertThat(CommandResult.run(words.toArray(String[]::new)).err()).contains(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "publisher@typo=User:x     | found topic 'typo', sources in sluice.yml are sluice.requests, nginx.access",
                "operator@nginx.access=User:x | found 'operator@', only agent and publisher have a topic",
                "nobody@nginx.access=User:x | found role 'nobody', allowed: analyzer, agent, publisher, operator",
                "agent@nginx.access        | allowed: ROLE=TYPE:NAME",
                "agent@nginx.access=x      | allowed: ROLE=TYPE:NAME",
            })
    void principalThatIsNone_isRefused(String principal, String message) {
        assertThatThrownBy(() -> bindings(principal))
                .isInstanceOf(Refused.class)
                .hasMessageContaining(message);
    }
}
