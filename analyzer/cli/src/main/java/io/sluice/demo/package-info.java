/** The demo: broker, analyzer, two gateways and their callers in one process. Start at {@link io.sluice.demo.DemoCommand}. */
@NullMarked
package io.sluice.demo;

import org.jspecify.annotations.NullMarked;
