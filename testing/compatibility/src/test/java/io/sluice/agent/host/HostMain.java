package io.sluice.agent.host;

import io.sluice.agent.GateAgent;
import io.sluice.agent.Request;
import io.sluice.agent.verdict.Verdict;
import io.sluice.contract.agent.Freshness;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.ObjectName;

/**
 * A foreign service with two agents in it, on whatever class path it was started. It lives through what agents do and tells, as
 * {@code key=value}, what became of it. Arguments: where Kafka is, a name, {@code close} or {@code leave}.
 */
public final class HostMain {
    /** Two minutes of pauses: time in which the machine stands still is none in which something could have happened. */
    private static final int MOST_PAUSES = 2_400;

    private static final long PAUSE_NANOS = 50_000_000;
    /** The same in all hosts: the guard would not let so many callers be locked at once. */
    private static final String NOISY = "acme";

    /** More than the analyzer allows in its window, at once. */
    private static final int BURST = 120;

    private static final int ROUNDS_TO_A_BURST = 20;

    /** Far below what the analyzer allows in its window, however long the noisy caller takes. */
    private static final int MOST_OF_THE_NEIGHBOUR = 30;

    private final String neighbour;
    private final Set<Thread> before = Thread.getAllStackTraces().keySet();
    private final GateAgent one;
    private final GateAgent two;
    private int rounds;

    private HostMain(String bootstrap, String name) {
        neighbour = "neighbour-" + name;
        one = agent(bootstrap, name + "-one");
        two = agent(bootstrap, name + "-two");
    }

    private static GateAgent agent(String bootstrap, String id) {
        return GateAgent.builder()
                // nothing is dropped because the broker was slow
                .kafka(Map.of("delivery.timeout.ms", 120_000, "max.block.ms", 60_000))
                .bootstrap(bootstrap)
                .service("orders")
                .id(id)
                .build();
    }

    public static void main(String[] arguments) throws Exception {
        Thread parent = new Thread(HostMain::endWithTheParent, "parent");
        parent.setDaemon(true);
        parent.start();
        HostMain host = new HostMain(arguments[0], arguments[1]);
        if (arguments[2].equals("leave")) {
            tell("fresh", host.awaits(() -> host.one.freshness() == Freshness.FRESH));
            // a service that forgets to close must end all the same
            return;
        }
        host.live();
    }

    /** Its end of the standard input is closed then. */
    private static void endWithTheParent() {
        try {
            while (System.in.read() >= 0) {
                // says nothing
            }
        } catch (IOException e) {
            // gone as well
        }
        Runtime.getRuntime().halt(3);
    }

    private void live() throws Exception {
        tell("optional", optional());
        tell("fresh", awaits(() -> one.freshness() == Freshness.FRESH && two.freshness() == Freshness.FRESH));
        tell("locked", awaits(this::crowd));
        tell("lockedInTheOtherAgent", awaits(() -> !asks(two, NOISY)));
        tell("neighbourAllowed", asks(one, neighbour) && asks(two, neighbour));
        tell("sent", awaits(() -> one.status().sent() > 0 && two.status().sent() > 0));
        tell("failures", one.status().failures() + two.status().failures());
        tell("drops", one.status().drops() + two.status().drops());
        for (Map.Entry<String, Object> figure : VirtualThreads.check(
                        () -> one.check(one.request("virtual").build()).close())
                .entrySet()) {
            tell(figure.getKey(), figure.getValue());
        }
        tell("beans", beans().size());
        tell("lasting", threads(thread -> !thread.isDaemon()));
        one.close();
        two.close();
        awaits(() -> threads(thread -> true).isEmpty() && beans().isEmpty());
        tell("threadsLeft", threads(thread -> true));
        tell("beansLeft", beans());
        tell("stillAnswers", asks(one, neighbour) && !asks(one, NOISY));
    }

    /** One caller asks as a script would, in bursts, and a neighbour once in a while. */
    private boolean crowd() {
        boolean rejected = !asks(one, NOISY);
        if (rounds % ROUNDS_TO_A_BURST == 0) {
            for (int i = 1; i < BURST; i++) {
                rejected |= !asks(one, NOISY);
            }
            if (rounds < MOST_OF_THE_NEIGHBOUR * ROUNDS_TO_A_BURST) {
                asks(two, neighbour);
            }
        }
        rounds++;
        return rejected;
    }

    private static boolean asks(GateAgent agent, String caller) {
        Request request = agent.request(caller).route("/orders").method("GET").build();
        try (Verdict verdict = agent.check(request)) {
            agent.log(request, verdict, verdict.allowed() ? 200 : 429, 10, 1000);
            return verdict.allowed();
        }
    }

    /** Which of the libraries that an agent can do without are there. */
    private static List<String> optional() {
        return Stream.of(
                        "io.micrometer.core.instrument.MeterRegistry",
                        "io.opentelemetry.api.trace.Span",
                        "jakarta.servlet.Filter")
                .filter(HostMain::isThere)
                .toList();
    }

    private static boolean isThere(String type) {
        try {
            Class.forName(type);
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    private boolean awaits(BooleanSupplier condition) {
        for (int pauses = 0; pauses < MOST_PAUSES; pauses++) {
            if (condition.getAsBoolean()) {
                return true;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return condition.getAsBoolean();
    }

    private Set<String> threads(Predicate<Thread> wanted) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread))
                .filter(thread -> thread.getName().startsWith("sluice")
                        || thread.getName().startsWith("kafka"))
                .filter(wanted)
                .map(Thread::getName)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> beans() {
        return ManagementFactory.getPlatformMBeanServer().queryNames(null, null).stream()
                .map(ObjectName::toString)
                .filter(name -> name.contains("sluice") || name.startsWith("kafka"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static void tell(String key, Object value) {
        System.out.println(key + "=" + value);
    }
}
