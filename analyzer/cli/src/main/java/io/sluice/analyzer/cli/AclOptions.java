package io.sluice.analyzer.cli;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.ResourcePattern;
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
                    "Whom a role's rights are for, such as agent=User:orders; may be given again, also for the same role. Roles:"
                            + " analyzer, agent, publisher, operator. Without any: all four, for User:sluice-ROLE.")
    private List<String> principals = List.of();

    /** @throws Refused when principals are named for nothing */
    boolean wanted() throws Refused {
        if (!wanted && !principals.isEmpty()) {
            throw new Refused("--principal: only together with --acls");
        }
        return wanted;
    }

    /**
     * The rights, without repetition, role by role.
     *
     * @throws Refused naming what is no role or no principal
     */
    List<AclBinding> bindings(Role.Places places) throws Refused {
        Map<Role, Set<String>> chosen = chosen();
        Set<AclBinding> bindings = new LinkedHashSet<>();
        chosen.forEach((role, whom) -> whom.forEach(principal ->
                role.rights(places, (where, operation) -> bindings.add(binding(where, operation, principal)))));
        return List.copyOf(bindings);
    }

    private static AclBinding binding(ResourcePattern where, AclOperation operation, String principal) {
        return new AclBinding(where, new AccessControlEntry(principal, ANY_HOST, operation, AclPermissionType.ALLOW));
    }

    private Map<Role, Set<String>> chosen() throws Refused {
        if (principals.isEmpty()) {
            return Arrays.stream(Role.values())
                    .collect(Collectors.toMap(
                            role -> role, role -> Set.of(role.usualPrincipal()), (a, b) -> a, LinkedHashMap::new));
        }
        Map<Role, Set<String>> chosen = new EnumMap<>(Role.class);
        for (String given : principals) {
            int sign = given.indexOf('=');
            String role = sign < 0 ? given : given.substring(0, sign);
            String principal = given.substring(sign + 1);
            if (sign < 0 || !principal.matches("[A-Za-z]+:.+")) {
                throw new Refused(
                        "--principal: found '" + given + "', allowed: ROLE=TYPE:NAME, such as agent=User:orders");
            }
            chosen.computeIfAbsent(named(role), missing -> new LinkedHashSet<>())
                    .add(principal);
        }
        return chosen;
    }

    private static Role named(String spelling) throws Refused {
        return Arrays.stream(Role.values())
                .filter(role -> role.spelling().equals(spelling))
                .findFirst()
                .orElseThrow(() -> new Refused("--principal: found role '" + spelling + "', allowed: "
                        + Arrays.stream(Role.values()).map(Role::spelling).collect(Collectors.joining(", "))));
    }
}
