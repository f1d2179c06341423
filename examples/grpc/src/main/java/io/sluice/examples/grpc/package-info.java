/** A gRPC server with the gate in front, and a client. Start at {@link io.sluice.examples.grpc.GatedServer}. */
@NullMarked
package io.sluice.examples.grpc;

import org.jspecify.annotations.NullMarked;
