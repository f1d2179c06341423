package io.sluice.agent.http;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.catalina.Wrapper;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.util.ServerInfo;
import org.apache.catalina.valves.RemoteIpValve;
import org.apache.tomcat.util.descriptor.web.ErrorPage;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/** Tomcat 10 or 11, embedded; an answer 404 has a page of its own. */
record TomcatServer(Tomcat tomcat) implements Door.Running {

    static TomcatServer start(Filter gate, HttpServlet servlet) throws Exception {
        String meant = System.getProperty("sluice.tomcat");
        if (meant != null) {
            // a class path that holds another one than was meant shows nothing
            assertThat(ServerInfo.getServerNumber()).startsWith(meant);
        }
        // other test JVMs have one of their own at the same time
        String folder = Path.of("target", "tomcat-" + ProcessHandle.current().pid())
                .toAbsolutePath()
                .toString();
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(folder);
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        Context context = tomcat.addContext("", folder);
        Wrapper wrapper = Tomcat.addServlet(context, "service", servlet);
        wrapper.setAsyncSupported(true);
        context.addServletMappingDecoded("/*", "service");
        FilterDef filter = new FilterDef();
        filter.setFilterName("gate");
        filter.setFilter(gate);
        filter.setAsyncSupported("true");
        context.addFilterDef(filter);
        FilterMap map = new FilterMap();
        map.setFilterName("gate");
        map.addURLPattern("/*");
        for (DispatcherType type : DispatcherType.values()) {
            map.setDispatcher(type.name());
        }
        context.addFilterMap(map);
        ErrorPage sorry = new ErrorPage();
        sorry.setErrorCode(404);
        sorry.setLocation("/sorry");
        context.addErrorPage(sorry);
        tomcat.start();
        return new TomcatServer(tomcat);
    }

    @Override
    public int port() {
        return tomcat.getConnector().getLocalPort();
    }

    @Override
    public void believeForwardedHeaders() {
        tomcat.getEngine().getPipeline().addValve(new RemoteIpValve());
    }

    @Override
    public void stop() throws Exception {
        tomcat.stop();
        tomcat.destroy();
    }
}
