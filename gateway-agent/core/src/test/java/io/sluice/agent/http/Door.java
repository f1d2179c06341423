package io.sluice.agent.http;

import io.sluice.agent.GateAgent;
import io.sluice.contract.event.RouteNormalizer;
import jakarta.servlet.Filter;
import java.util.Arrays;
import java.util.List;

/** The same small service behind each of the filters, on a real server. */
enum Door {
    JDK {
        @Override
        Running open(GateAgent agent, CallerExtraction caller, RouteNormalizer routes, HttpSignals signals)
                throws Exception {
            return JdkServer.start(new GateHttpFilter(agent, caller, routes, signals));
        }
    },
    JETTY {
        @Override
        Running open(GateAgent agent, CallerExtraction caller, RouteNormalizer routes, HttpSignals signals)
                throws Exception {
            Filter filter = new GateServletFilter(agent, caller, routes, signals);
            return JettyServer.start(filter, new Hello());
        }
    },
    /** Whichever Tomcat is on the class path. */
    TOMCAT {
        @Override
        Running open(GateAgent agent, CallerExtraction caller, RouteNormalizer routes, HttpSignals signals)
                throws Exception {
            Filter filter = new GateServletFilter(agent, caller, routes, signals);
            return TomcatServer.start(filter, new Hello());
        }
    };

    interface Running {
        int port();

        void stop() throws Exception;

        /** From now on the server itself believes forwarded headers, as Boot's {@code forward-headers-strategy: native} makes it. */
        default void believeForwardedHeaders() {
            throw new UnsupportedOperationException("this server has no such setting");
        }
    }

    abstract Running open(GateAgent agent, CallerExtraction caller, RouteNormalizer routes, HttpSignals signals)
            throws Exception;

    /** All of them, unless this run is about some. */
    static List<Door> present() {
        String some = System.getProperty("sluice.doors");
        return some == null
                ? List.of(values())
                : Arrays.stream(some.split(",", -1)).map(Door::valueOf).toList();
    }

    static List<Door> containers() {
        return present().stream().filter(door -> door != JDK).toList();
    }
}
