/** A service in a servlet container with the gate in front. Start at {@link io.sluice.examples.servlet.OrdersOnJetty}. */
@NullMarked
package io.sluice.examples.servlet;

import org.jspecify.annotations.NullMarked;
