/** Notifies other programs of changes of locks. Start at {@link io.sluice.analyzer.notify.Notifier}. */
@NullMarked
package io.sluice.analyzer.notify;

import org.jspecify.annotations.NullMarked;
