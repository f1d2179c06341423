package io.sluice.analyzer.cli;

import io.sluice.analyzer.output.Table;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.SecurityDisabledException;

/** The broker's access rights on our topics and groups. Other rights are left alone, and none is removed. */
final class AccessRights {
    private static final Duration VISIBLE_WITHIN = Duration.ofSeconds(30);
    private static final long LOOK_AGAIN_MILLIS = 50;

    private final Admin admin;

    AccessRights(Admin admin) {
        this.admin = admin;
    }

    /** Grants the rights that are missing, waits until the broker applies them, and prints all. */
    void grant(List<AclBinding> bindings, PrintWriter out) throws Refused {
        List<AclBinding> missing = missing(bindings);
        answer(() -> admin.createAcls(missing).all().get());
        awaitVisible(missing);
        print(bindings, missing, "granted", out);
    }

    /** The controller answers before the brokers apply a new rule: whatever starts next would be refused. */
    private void awaitVisible(List<AclBinding> granted) throws Refused {
        long start = System.nanoTime();
        while (!missing(granted).isEmpty()) {
            if (System.nanoTime() - start > VISIBLE_WITHIN.toNanos()) {
                throw new Refused("the controller took the access rights, but the broker does not show them within "
                        + VISIBLE_WITHIN.toSeconds() + " s; look with 'topics verify --acls'");
            }
            answer(() -> {
                TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MILLIS);
                return true;
            });
        }
    }

    /**
     * Prints all.
     *
     * @return whether some are missing
     */
    boolean verify(List<AclBinding> bindings, PrintWriter out) throws Refused {
        List<AclBinding> missing = missing(bindings);
        print(bindings, missing, "missing", out);
        return !missing.isEmpty();
    }

    private List<AclBinding> missing(List<AclBinding> bindings) throws Refused {
        Collection<AclBinding> found =
                answer(() -> admin.describeAcls(AclBindingFilter.ANY).values().get());
        return bindings.stream().filter(binding -> !found.contains(binding)).toList();
    }

    private static void print(List<AclBinding> bindings, List<AclBinding> missing, String word, PrintWriter out) {
        Table table = new Table(List.of("", "PRINCIPAL", "MAY", "ON", "NAME"));
        for (AclBinding binding : bindings) {
            table.row(List.of(
                    missing.contains(binding) ? word : "exists",
                    binding.entry().principal(),
                    binding.entry().operation().name(),
                    binding.pattern().resourceType().name().toLowerCase(Locale.ROOT),
                    binding.pattern().name()
                            + (binding.pattern().patternType().name().equals("PREFIXED") ? "*" : "")));
        }
        table.print(out);
        out.flush();
    }

    private interface Question<T> {
        T ask() throws ExecutionException, InterruptedException;
    }

    private static <T> T answer(Question<T> question) throws Refused {
        try {
            return question.ask();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Refused("interrupted before the broker answered");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof SecurityDisabledException) {
                throw new Refused("the broker has no authorizer, so that access rights mean nothing to it; set"
                        + " authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer there");
            }
            if (e.getCause() instanceof ClusterAuthorizationException) {
                throw new Refused(
                        "the broker does not let this user look at or grant access rights; it takes DESCRIBE and ALTER on the"
                                + " cluster, as a super user has");
            }
            throw e.getCause() instanceof KafkaException failed ? failed : new KafkaException(e.getCause());
        }
    }
}
