/** The gate behind HTTP and gRPC, for what is not Java. Start at {@link io.sluice.sidecar.Sidecar}. */
@NullMarked
package io.sluice.sidecar;

import org.jspecify.annotations.NullMarked;
