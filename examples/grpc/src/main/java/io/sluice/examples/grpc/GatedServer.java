package io.sluice.examples.grpc;

import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.sluice.agent.GateAgent;
import io.sluice.agent.http.CallerExtraction;
import io.sluice.contract.event.Identity;
import io.sluice.grpc.GateServerInterceptor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/** The gate in front of a gRPC service: the standard health service, so that nothing has to be generated. */
public final class GatedServer {
    private GatedServer() {}

    /** Serves on port 8084 until it is ended; an argument says where Kafka is, else it is {@code 127.0.0.1:9092}. */
    public static void main(String[] args) throws Exception {
        String kafka = args.length > 0 ? args[0] : "127.0.0.1:9092";
        try (GateAgent agent =
                GateAgent.builder().bootstrap(kafka).service("orders").build()) {
            Server server = start(agent, 8084);
            Runtime.getRuntime().addShutdownHook(new Thread(server::shutdown));
            System.out.println("127.0.0.1:8084 grpc.health.v1.Health");
            server.awaitTermination();
        }
    }

    static Server start(GateAgent agent, int port) throws IOException {
        // AUTHENTICATED takes the metadata's word: say so only when something in front has checked the key
        CallerExtraction caller = CallerExtraction.of("header:x-api-key", Identity.AUTHENTICATED, List.of(), 64);
        return NettyServerBuilder.forAddress(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                        InsecureServerCredentials.create())
                .addService(new HealthStatusManager().getHealthService())
                .intercept(new GateServerInterceptor(agent, caller))
                .build()
                .start();
    }
}
