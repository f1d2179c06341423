/** The gate in a Spring Boot application. Start at {@link io.sluice.spring.SluiceAutoConfiguration}. */
@NullMarked
package io.sluice.spring;

import org.jspecify.annotations.NullMarked;
