package io.sluice.quota.token;

import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Scanner;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A token server in a process of its own; prints its number of buckets for each line that it reads, and ends with its input. */
final class TokenServerMain {
    private TokenServerMain() {}

    /** Arguments: port, full or chunk. */
    @SuppressWarnings("FutureReturnValueIgnored") // it runs until the process ends
    public static void main(String... arguments) throws Exception {
        TokenTable table = new TokenTable(2_000_000, arguments[1].equals("full"), TokenService.clock());
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        timer.scheduleWithFixedDelay(table::sweep, 1, 1, TimeUnit.SECONDS);
        Server server = NettyServerBuilder.forAddress(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0])))
                .directExecutor()
                .addService(new TokenService(table))
                .build()
                .start();
        System.out.println("ready");
        try (Scanner input = new Scanner(System.in, StandardCharsets.UTF_8)) {
            while (input.hasNextLine()) {
                input.nextLine();
                System.out.println(table.size());
            }
        }
        server.shutdownNow();
        timer.shutdownNow();
    }
}
