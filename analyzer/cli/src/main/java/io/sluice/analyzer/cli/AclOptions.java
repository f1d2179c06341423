package io.sluice.analyzer.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of access rights and their principals. */
final class AclOptions {
    private static final String ANY_HOST = "*";

    @Option(names = "--acls", description = "Also the access rights that each role needs, and no more.")
    private boolean wanted;

    @Option(
            names = "--principal",
            paramLabel = "ROLE=PRINCIPAL",
            description =
                    "The principal of a role's rights, such as agent=User:orders; repeatable, also for the same role. Roles:"
                            + " analyzer, agent, publisher, operator. Without any: all four, for User:sluice-ROLE."
                            + " With any: only those named; for a new source name analyzer and operator too."
                            + " agent@TOPIC and publisher@TOPIC may write access logs to that source only.")
    private List<String> principals = List.of();

    /** @throws WrongUsage when principals are named for nothing */
    boolean wanted() throws WrongUsage {
        if (!wanted && !principals.isEmpty()) {
            throw new WrongUsage("--principal: only together with --acls");
        }
        return wanted;
    }

    /**
     * The rights, without repetition, role by role.
     *
     * @throws WrongUsage naming what is no role or no principal
     */
    List<AclBinding> bindings(Role.Places places) throws WrongUsage {
        Set<AclBinding> bindings = new LinkedHashSet<>();
        for (Grant grant : grants(places.sources())) {
            grant.role.rights(
                    places.only(grant.log),
                    (where, operation) -> bindings.add(binding(where, operation, grant.principal)));
        }
        return List.copyOf(bindings);
    }

    /** @param log the only topic of access logs to write; {@code null}: as usual for the role */
    private record Grant(Role role, @Nullable String log, String principal) {}

    private static AclBinding binding(ResourcePattern where, AclOperation operation, String principal) {
        return new AclBinding(where, new AccessControlEntry(principal, ANY_HOST, operation, AclPermissionType.ALLOW));
    }

    private List<Grant> grants(List<String> sources) throws WrongUsage {
        if (principals.isEmpty()) {
            return Arrays.stream(Role.values())
                    .map(role -> new Grant(role, null, role.usualPrincipal()))
                    .toList();
        }
        List<Grant> grants = new ArrayList<>();
        for (String given : principals) {
            int sign = given.indexOf('=');
            String role = sign < 0 ? given : given.substring(0, sign);
            String principal = given.substring(sign + 1);
            if (sign < 0 || !principal.matches("[A-Za-z]+:.+")) {
                throw new WrongUsage(
                        "--principal: found '" + given + "', allowed: ROLE=TYPE:NAME, such as agent=User:orders");
            }
            int at = role.indexOf('@');
            grants.add(
                    at < 0
                            ? new Grant(named(role), null, principal)
                            : new Grant(
                                    writer(role.substring(0, at)), source(role.substring(at + 1), sources), principal));
        }
        grants.sort(Comparator.comparing(Grant::role));
        return grants;
    }

    private static Role writer(String spelling) throws WrongUsage {
        Role role = named(spelling);
        if (role != Role.AGENT && role != Role.PUBLISHER) {
            throw new WrongUsage("--principal: found '" + spelling + "@', only agent and publisher have a topic");
        }
        return role;
    }

    private static String source(String topic, List<String> sources) throws WrongUsage {
        if (!sources.contains(topic)) {
            throw new WrongUsage("--principal: found topic '" + topic + "', sources in sluice.yml are "
                    + String.join(", ", sources));
        }
        return topic;
    }

    private static Role named(String spelling) throws WrongUsage {
        return Arrays.stream(Role.values())
                .filter(role -> role.spelling().equals(spelling))
                .findFirst()
                .orElseThrow(() -> new WrongUsage("--principal: found role '" + spelling + "', allowed: "
                        + Arrays.stream(Role.values()).map(Role::spelling).collect(Collectors.joining(", "))));
    }
}
