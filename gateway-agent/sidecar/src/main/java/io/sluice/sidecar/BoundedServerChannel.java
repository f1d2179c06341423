package io.sluice.sidecar;

import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.FixedRecvByteBufAllocator;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Listens, and closes connections beyond the bound: gRPC has no bound on connections of its own. */
final class BoundedServerChannel extends NioServerSocketChannel {
    private final int most;
    private final AtomicInteger open = new AtomicInteger();

    /** @param most open at once */
    BoundedServerChannel(int most) {
        this.most = most;
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the connection's own end is all there is to it
    protected int doReadMessages(List<Object> accepted) throws Exception {
        int count = super.doReadMessages(accepted);
        if (count == 1) {
            int last = accepted.size() - 1;
            Channel connection = (Channel) accepted.get(last);
            connection.config().setRecvByteBufAllocator(new FixedRecvByteBufAllocator(IncompleteCalls.READ));
            if (open.incrementAndGet() > most) {
                open.decrementAndGet();
                accepted.remove(last);
                connection.unsafe().closeForcibly();
            } else {
                connection.closeFuture().addListener(closed -> open.decrementAndGet());
            }
        }
        return count;
    }
}
