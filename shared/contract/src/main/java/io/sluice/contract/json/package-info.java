/** Bounded, strict JSON reading, and the document tree that policies are read from. */
@NullMarked
package io.sluice.contract.json;

import org.jspecify.annotations.NullMarked;
