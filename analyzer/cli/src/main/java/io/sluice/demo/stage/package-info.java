/** Stage of the demo: broker, analyzer, gateways. Start at {@link io.sluice.demo.stage.Stage}. */
@NullMarked
package io.sluice.demo.stage;

import org.jspecify.annotations.NullMarked;
