package io.sluice.spring;

import io.sluice.agent.GateAgent;
import io.sluice.agent.http.CallerExtraction;
import io.sluice.agent.http.GateServletFilter;
import io.sluice.agent.http.HttpSignals;
import io.sluice.contract.event.RouteNormalizer;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * An agent for the application, a filter in front of its servlets, and the agent's status as an actuator endpoint. A bean of
 * the application's own takes the place of any of them.
 *
 * <p>Every class of Spring Boot's that stands here is in the same place in 3.5 and in 4: a test holds that.
 */
@AutoConfiguration
@ConditionalOnProperty(prefix = "sluice", name = "enabled", matchIfMissing = true)
@EnableConfigurationProperties(SluiceProperties.class)
public final class SluiceAutoConfiguration {
    // Spring Security's filter is at -100
    private static final int BEFORE_SECURITY = -110;
    private static final int BEHIND_SECURITY = -90;

    /** Closed with the context, after the web server has ended its requests. */
    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    GateAgent gateAgent(SluiceProperties properties, Environment environment) {
        return AgentFactory.agent(properties, environment.getProperty("spring.application.name"));
    }

    /** The filter of a servlet application. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnProperty(prefix = "sluice.filter", name = "enabled", matchIfMissing = true)
    static final class Servlets {
        @Bean
        @ConditionalOnMissingBean
        CallerExtraction callerExtraction(SluiceProperties properties, Environment environment) {
            ForwardedHeaders.warn(environment, properties.agent().trustedProxies());
            return AgentFactory.caller(properties.agent());
        }

        @Bean
        @ConditionalOnMissingBean
        RouteNormalizer routeNormalizer(SluiceProperties properties) {
            return AgentFactory.routes(properties.filter());
        }

        @Bean
        @ConditionalOnMissingBean
        HttpSignals httpSignals(SluiceProperties properties) {
            return AgentFactory.signals(properties.signals());
        }

        @Bean
        // Boot has an annotation for just this, which has moved
        @ConditionalOnMissingBean(
                value = GateServletFilter.class,
                parameterizedContainer = FilterRegistrationBean.class)
        FilterRegistrationBean<GateServletFilter> gateServletFilter(
                SluiceProperties properties,
                GateAgent agent,
                CallerExtraction caller,
                RouteNormalizer routes,
                HttpSignals signals) {
            FilterRegistrationBean<GateServletFilter> filter =
                    new FilterRegistrationBean<>(new GateServletFilter(agent, caller, routes, signals));
            filter.setName("gateServletFilter");
            filter.setUrlPatterns(properties.filter().urlPatterns());
            Integer order = properties.filter().order();
            boolean principals = properties.agent().caller().equals("principal");
            filter.setOrder(order != null ? order : principals ? BEHIND_SECURITY : BEFORE_SECURITY);
            return filter;
        }
    }

    /** {@code /actuator/sluice}, where it is exposed. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
    static final class Actuator {
        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnAvailableEndpoint
        SluiceEndpoint sluiceEndpoint(GateAgent agent) {
            return new SluiceEndpoint(agent);
        }
    }
}
