/** Live view of the demo. Start at {@link io.sluice.demo.view.Screen}. */
@NullMarked
package io.sluice.demo.view;

import org.jspecify.annotations.NullMarked;
