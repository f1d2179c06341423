/** What is shown while it happens. Start at {@link io.sluice.demo.view.Screen}. */
@NullMarked
package io.sluice.demo.view;

import org.jspecify.annotations.NullMarked;
