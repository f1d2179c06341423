/** Composite record keys and the partition they belong to. Start at {@link io.sluice.contract.key.CompositeKey}. */
@NullMarked
package io.sluice.contract.key;

import org.jspecify.annotations.NullMarked;
