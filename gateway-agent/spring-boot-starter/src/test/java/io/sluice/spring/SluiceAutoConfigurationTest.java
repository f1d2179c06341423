package io.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.agent.GateAgent;
import io.sluice.agent.http.CallerExtraction;
import io.sluice.agent.http.GateServletFilter;
import io.sluice.agent.http.HttpSignals;
import io.sluice.contract.event.RouteNormalizer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.FilterRegistrationBean;

/** The beans of an application, by its properties. The port of Kafka is closed. */
final class SluiceAutoConfigurationTest {
    private static final GateAgent OWN =
            GateAgent.builder().bootstrap("127.0.0.1:1").service("own").build();
    private static final AutoConfigurations GATE = AutoConfigurations.of(SluiceAutoConfiguration.class);

    private final WebApplicationContextRunner web = new WebApplicationContextRunner()
            .withConfiguration(GATE)
            .withPropertyValues("sluice.kafka.bootstrap-servers=127.0.0.1:1", "spring.application.name=orders");

    /** An application with an agent of its own: nothing waits for a broker when it closes. */
    private final WebApplicationContextRunner withOwnAgent =
            web.withBean(GateAgent.class, () -> OWN, bean -> bean.setDestroyMethodName(""));

    @AfterAll
    static void closeAgent() {
        OWN.close();
    }

    @Test
    void givenABrokerAndANameWhenAnApplicationStartsThenAnAgentLivesAsLongAsIt() {
        web.withPropertyValues(
                        "sluice.agent.id=orders-1",
                        "sluice.agent.enforce=false",
                        "sluice.agent.policies=classpath:policies.json",
                        "sluice.kafka.properties.client.dns.lookup=use_all_dns_ips")
                .run(context -> {
                    GateAgent agent = context.getBean(GateAgent.class);
                    assertThat(agent.service()).isEqualTo("orders");
                    assertThat(agent.id()).isEqualTo("orders-1");
                    assertThat(agent.status().enforcing()).isFalse();
                    assertThat(agent.status().policies()).isNotEmpty();
                });
        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                        .filteredOn(thread -> thread.getName().equals("sluice-keeper"))
                        .as("only the test's own agent is left")
                        .hasSizeLessThanOrEqualTo(1));
    }

    @Test
    void givenAServletApplicationThenEveryPathIsGuardedBeforeSecurity() {
        withOwnAgent.run(context -> {
            FilterRegistrationBean<?> filter = context.getBean(FilterRegistrationBean.class);
            assertThat(filter.getFilter()).isInstanceOf(GateServletFilter.class);
            assertThat(filter.getUrlPatterns()).containsExactly("/*");
            assertThat(filter.getOrder()).isEqualTo(-110);
            assertThat(filter.isAsyncSupported()).isTrue();
        });
    }

    @Test
    void givenPrincipalsAsCallersThenTheGateIsBehindSecurity() {
        withOwnAgent
                .withPropertyValues("sluice.agent.caller=principal")
                .run(context -> assertThat(
                                context.getBean(FilterRegistrationBean.class).getOrder())
                        .isEqualTo(-90));
    }

    @Test
    void givenOtherPatternsAndAnOrderThenTheyAreTaken() {
        withOwnAgent
                .withPropertyValues("sluice.filter.url-patterns=/api/*,/v2/*", "sluice.filter.order=7")
                .run(context -> {
                    FilterRegistrationBean<?> filter = context.getBean(FilterRegistrationBean.class);
                    assertThat(filter.getUrlPatterns()).containsExactly("/api/*", "/v2/*");
                    assertThat(filter.getOrder()).isEqualTo(7);
                });
    }

    @Test
    void callersFromAHeader_withoutIdentity_warningNamesTheProperty() {
        withOwnAgent
                .withPropertyValues("sluice.agent.caller=header:X-Api-Key")
                .run(context -> assertThat(
                                context.getBean(CallerExtraction.class).claimedWarning())
                        .hasValueSatisfying(
                                warning -> assertThat(warning).endsWith("set sluice.agent.identity to authenticated")));
    }

    @Test
    void givenTheGateIsSwitchedOffThenThereIsNothing() {
        web.withPropertyValues("sluice.enabled=false", "sluice.kafka.bootstrap-servers=")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(GateAgent.class)
                        .doesNotHaveBean(FilterRegistrationBean.class)
                        .doesNotHaveBean(SluiceEndpoint.class));
    }

    @Test
    void givenTheFilterIsSwitchedOffThenTheAgentStays() {
        withOwnAgent
                .withPropertyValues("sluice.filter.enabled=false")
                .run(context -> assertThat(context)
                        .hasSingleBean(GateAgent.class)
                        .doesNotHaveBean(FilterRegistrationBean.class));
    }

    @Test
    void givenAnApplicationWithoutServletsThenThereIsOnlyTheAgent() {
        new ApplicationContextRunner()
                .withConfiguration(GATE)
                .withBean(GateAgent.class, () -> OWN, bean -> bean.setDestroyMethodName(""))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(GateAgent.class)
                        .doesNotHaveBean(FilterRegistrationBean.class));
    }

    @Test
    void givenBeansOfTheApplicationThenTheyAreTaken() {
        CallerExtraction caller = CallerExtraction.address();
        RouteNormalizer routes = new RouteNormalizer(List.of());
        HttpSignals signals = HttpSignals.standard();
        FilterRegistrationBean<GateServletFilter> filter =
                new FilterRegistrationBean<>(new GateServletFilter(OWN, caller, routes, signals));
        withOwnAgent
                .withBean(CallerExtraction.class, () -> caller)
                .withBean(RouteNormalizer.class, () -> routes)
                .withBean(HttpSignals.class, () -> signals)
                .run(context -> {
                    assertThat(context).getBean(GateAgent.class).isSameAs(OWN);
                    assertThat(context).getBean(CallerExtraction.class).isSameAs(caller);
                    assertThat(context).getBean(RouteNormalizer.class).isSameAs(routes);
                    assertThat(context).getBean(HttpSignals.class).isSameAs(signals);
                });
        withOwnAgent
                .withBean(GateServletFilter.class, filter::getFilter)
                .run(context -> assertThat(context).doesNotHaveBean(FilterRegistrationBean.class));
    }

    @Test
    void givenAnExposedEndpointThenItTellsTheAgentsStatus() {
        withOwnAgent
                .withPropertyValues("management.endpoints.web.exposure.include=sluice")
                .run(context -> assertThat(
                                context.getBean(SluiceEndpoint.class).status().service())
                        .isEqualTo("own"));
        withOwnAgent.run(context -> assertThat(context).doesNotHaveBean(SluiceEndpoint.class));
    }

    @Test
    void givenNoActuatorThenTheGateWorksWithoutIt() {
        withOwnAgent
                .withClassLoader(new FilteredClassLoader(Endpoint.class.getPackageName()))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(FilterRegistrationBean.class));
    }

    @Test
    void agentThatCannotBeBuilt_closesItsStrategies() {
        int open = CountedStrategyProvider.MADE.get() - CountedStrategyProvider.CLOSED.get();
        web.withPropertyValues("sluice.agent.quota.counted.key=value", "sluice.agent.gates=0")
                .run(context -> assertThat(context).hasFailed());

        assertThat(CountedStrategyProvider.MADE).hasPositiveValue();
        assertThat(CountedStrategyProvider.MADE.get() - CountedStrategyProvider.CLOSED.get())
                .isEqualTo(open);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            sluice.kafka.bootstrap-servers=         | sluice.kafka.bootstrap-servers: is missing
            spring.application.name=                | sluice.agent.service: is missing
            sluice.agent.max-lease=999ms            | sluice.agent: maxLease must be from 1 s to 365 days, found PT0.999S
            sluice.agent.gates=0                    | sluice.agent: gates must be 1 or more, found 0
            sluice.agent.policies=classpath:none    | sluice.agent.policies: class path resource [none] can't be read
            sluice.agent.policies=classpath:bad.json | sluice.agent.policies: policies
            sluice.agent.caller=cookie              | sluice.agent: caller must be header:NAME, principal or address, found cookie
            sluice.agent.trusted-proxies=10.0.0.0/8,somewhere | sluice.agent: trusted-proxies must be addresses or networks such as 10.0.0.0/8, found somewhere: not an address
            sluice.agent.ipv6-prefix=129            | sluice.agent: ipv6-prefix must be from 1 to 128, found 129
            sluice.agent.pseudonym-key-file=no.keys | sluice.agent.pseudonym-key-file: no.keys: no such file
            sluice.topics.signing-key-file=no.keys  | sluice.agent: Kafka client settings: sluice.signing.key.file: no.keys: no such file
            sluice.filter.routes=orders/{           | sluice.filter.routes:
            sluice.signals.jitter=1.1               | sluice.signals: jitter must be from 0 to 1, found 1.1
            """)
    void givenAWrongPropertyThenTheStartFailsAndNamesIt(String property, String problem) {
        refuses(property, problem);
    }

    @Test
    void givenAnIdThatTheFleetWouldIgnoreThenTheStartFails() {
        refuses("sluice.agent.id=" + "x".repeat(257), "sluice.agent: id must have at most 256 characters, found 257");
    }

    private void refuses(String property, String problem) {
        web.withPropertyValues(property).run(context -> {
            assertThat(context).hasFailed();
            assertThat(context.getStartupFailure()).hasStackTraceContaining(problem);
            assertThat(new InvalidSluicePropertyAnalyzer()
                            .analyze(context.getStartupFailure())
                            .getDescription())
                    .startsWith(problem);
        });
    }
}
