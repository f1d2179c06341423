/** Request events: one access-log entry each, and what is known of a request when it is checked. Start at {@link io.sluice.contract.event.RequestEvent}. */
@NullMarked
package io.sluice.contract.event;

import org.jspecify.annotations.NullMarked;
