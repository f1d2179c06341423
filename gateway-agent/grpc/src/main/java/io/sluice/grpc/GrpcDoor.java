package io.sluice.grpc;

import io.grpc.Context;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.sluice.agent.http.HttpDoor;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A call as what it is on the wire: a POST over HTTP/2. */
record GrpcDoor(ServerCall<?, ?> call, Metadata metadata, Function<Context, @Nullable String> authenticated)
        implements HttpDoor {

    @Override
    public String peer() {
        SocketAddress address = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
        // in-process and domain sockets have no address
        return address instanceof InetSocketAddress inet && inet.getAddress() != null
                ? inet.getAddress().getHostAddress()
                : "";
    }

    @Override
    public List<String> headers(String name) {
        Iterable<String> values = metadata.getAll(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER));
        List<String> all = new ArrayList<>(1);
        if (values != null) {
            values.forEach(all::add);
        }
        return all;
    }

    @Override
    public @Nullable String principal() {
        return authenticated.apply(Context.current());
    }

    @Override
    public String path() {
        return "/" + call.getMethodDescriptor().getFullMethodName();
    }

    @Override
    public String method() {
        return "POST";
    }
}
