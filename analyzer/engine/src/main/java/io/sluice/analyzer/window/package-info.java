/** The sliding windows of subjects and groups: hot ones in heap, written behind to a store. Start at {@link io.sluice.analyzer.window.Windows}. */
@NullMarked
package io.sluice.analyzer.window;

import org.jspecify.annotations.NullMarked;
