package io.sluice.examples.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.GateAgent;
import io.sluice.neighbours.Crowd;
import io.sluice.neighbours.Doors;
import io.sluice.neighbours.Neighbourhood;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.util.ServerInfo;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs twice: on Tomcat 11, and on Tomcat 10. */
@Tag("server")
@Tag("tomcat")
final class TomcatDoorTest {
    @Test
    void givenAServiceOnTomcatWhenOneCallerCrowdsThenItAloneIsRejected(@TempDir Path folder) throws Exception {
        assertThat(ServerInfo.getServerNumber()).startsWith(System.getProperty("sluice.tomcat"));
        try (Neighbourhood neighbourhood = Neighbourhood.open(folder);
                GateAgent agent = GateAgent.builder()
                        .bootstrap(neighbourhood.bootstrap())
                        .service("orders")
                        .build()) {
            Tomcat tomcat = start(agent, folder.resolve("tomcat"));
            try {
                URI orders =
                        URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/orders");
                Crowd.Told told = Crowd.ask(Doors.http(orders), Duration.ofMinutes(2));

                assertThat(told.noisyAllowed()).isGreaterThan(Neighbourhood.ABOVE);
                assertThat(told.noisyRejected()).isPositive();
                assertThat(told.neighboursAllowed()).isPositive();
                assertThat(told.neighboursRejected()).isZero();
            } finally {
                tomcat.stop();
                tomcat.destroy();
            }
        }
    }

    private static Tomcat start(GateAgent agent, Path folder) throws Exception {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(folder.toString());
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        Context context = tomcat.addContext("", null);
        FilterDef gate = new FilterDef();
        gate.setFilterName("gate");
        gate.setFilter(Gate.of(agent));
        gate.setAsyncSupported("true");
        context.addFilterDef(gate);
        FilterMap everywhere = new FilterMap();
        everywhere.setFilterName("gate");
        everywhere.addURLPattern("/*");
        context.addFilterMap(everywhere);
        Tomcat.addServlet(context, "orders", new Orders());
        context.addServletMappingDecoded("/orders/*", "orders");
        tomcat.start();
        return tomcat;
    }
}
