/** A service on the JDK's own HTTP server with the gate in front. Start at {@link io.sluice.examples.httpserver.OrdersServer}. */
@NullMarked
package io.sluice.examples.httpserver;

import org.jspecify.annotations.NullMarked;
