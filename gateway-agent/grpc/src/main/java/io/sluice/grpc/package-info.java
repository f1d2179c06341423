/** The gate in a gRPC server. Start at {@link io.sluice.grpc.GateServerInterceptor}. */
@NullMarked
package io.sluice.grpc;

import org.jspecify.annotations.NullMarked;
