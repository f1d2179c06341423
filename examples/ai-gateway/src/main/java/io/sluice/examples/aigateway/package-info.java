/** A gateway to a language model. */
@NullMarked
package io.sluice.examples.aigateway;

import org.jspecify.annotations.NullMarked;
