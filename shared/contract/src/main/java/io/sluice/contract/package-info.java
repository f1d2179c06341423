/** What the analyzer and the agents agree on. */
@NullMarked
package io.sluice.contract;

import org.jspecify.annotations.NullMarked;
