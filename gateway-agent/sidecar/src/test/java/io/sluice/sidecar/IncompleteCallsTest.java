package io.sluice.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class IncompleteCallsTest {
    private final AtomicLong now = new AtomicLong(-5);
    private final IncompleteCalls calls = new IncompleteCalls(now::get);

    private record Call(ServerStreamTracer tracer, Context context) {
        boolean ended() {
            return context.isCancelled();
        }
    }

    private Call begin() {
        ServerStreamTracer tracer = calls.newServerStreamTracer("method", new Metadata());
        return new Call(tracer, tracer.filterContext(Context.ROOT));
    }

    @Test
    void piecesOfAMessage_fillTheBytes_oldestCallsAreEndedAndTheNewestGoesOn() {
        List<Call> begun = new ArrayList<>();
        while (calls.ended() == 0) {
            Call call = begin();
            call.tracer().inboundWireSize(256 << 10);
            begun.add(call);
            assertThat(calls.bytes()).isLessThanOrEqualTo(IncompleteCalls.MOST_BYTES);
        }

        assertThat(begun).hasSize(IncompleteCalls.MOST_BYTES / ((256 << 10) + IncompleteCalls.METADATA) + 1);
        assertThat(begun.get(0).ended()).isTrue();
        assertThat(begun.subList(1, begun.size())).noneMatch(Call::ended);
    }

    @Test
    void smallPieces_countAsTheBuffersThatTheyKeep() {
        Call call = begin();
        for (int i = 0; !call.ended(); i++) {
            assertThat(i).isLessThan(1024);
            call.tracer().inboundWireSize(1);
        }
        assertThat(calls.bytes()).isZero();
    }

    @Test
    void call_isEndedWhenItsTimeIsUp() {
        Call call = begin();
        now.addAndGet(IncompleteCalls.TIME.toNanos() - 1);
        calls.sweep();
        assertThat(call.ended()).isFalse();

        now.incrementAndGet();
        calls.sweep();
        assertThat(call.ended()).isTrue();
        assertThat(calls.ended()).isEqualTo(1);
        assertThat(calls.bytes()).isZero();
    }

    @Test
    void callThatIsEndedBeforeItHasAContext_isEndedOnceItHas() {
        ServerStreamTracer tracer = calls.newServerStreamTracer("method", new Metadata());
        now.addAndGet(IncompleteCalls.TIME.toNanos());
        calls.sweep();

        assertThat(tracer.filterContext(Context.ROOT).isCancelled()).isTrue();
    }

    @Test
    void streamThatIsClosed_holdsNothing() {
        Call call = begin();
        call.tracer().inboundWireSize(10);
        call.tracer().streamClosed(Status.OK);
        call.tracer().inboundUncompressedSize(10);

        assertThat(calls.bytes()).isZero();
        assertThat(call.ended()).isFalse();
    }
}
