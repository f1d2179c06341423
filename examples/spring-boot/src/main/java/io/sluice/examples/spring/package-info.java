/** A Spring Boot application with the gate in front. Start at {@link io.sluice.examples.spring.OrdersApplication}. */
@NullMarked
package io.sluice.examples.spring;

import org.jspecify.annotations.NullMarked;
