/** The contract between the analyzer and the agents. */
@NullMarked
package io.sluice.contract;

import org.jspecify.annotations.NullMarked;
