package io.sluice.sidecar;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.sluice.agent.http.HttpSignals;
import io.sluice.http.server.BoundedBody;
import io.sluice.http.server.Connections;
import io.sluice.http.server.Responses;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code POST /json}: a rate limit request and its response in protobuf's own JSON, as envoyproxy/ratelimit has it. 200 when allowed, 429
 * when over the limit; 400 for what can't be read, 413 beyond 64 KiB. Thread-safe.
 */
final class JsonAnswers {
    private static final Logger log = LoggerFactory.getLogger(JsonAnswers.class);
    private static final int BODY = 64 << 10;
    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int TOO_LARGE = 413;
    private static final int SERVER_ERROR = 500;
    private static final String UNREADABLE =
            "the body is no rate limit request in JSON; hitsAddend is a whole number from 0 to 4294967295";

    private final RateLimits limits;
    private final JsonFormat.Parser parser = JsonFormat.parser();
    private final JsonFormat.Printer printer = JsonFormat.printer().omittingInsignificantWhitespace();

    JsonAnswers(RateLimits limits) {
        this.limits = limits;
    }

    void answer(Request request, Response response, Callback callback) {
        BoundedBody.read(request, BODY, new BoundedBody.To() {
            @Override
            public void whole(byte[] body) {
                // the request is complete: the time from here on is the sidecar's
                Connections.alive(request);
                try {
                    read(request, response, callback, body);
                } catch (RuntimeException e) {
                    fail(response, callback, e);
                }
            }

            @Override
            public void tooLong() {
                Responses.problem(response, callback, TOO_LARGE, "the body is longer than " + BODY + " bytes");
            }

            @Override
            public void failed(Throwable why) {
                callback.failed(why);
            }
        });
    }

    private void read(Request request, Response response, Callback callback, byte[] body) {
        try {
            RateLimitRequest.Builder asked = RateLimitRequest.newBuilder();
            parser.merge(new String(body, StandardCharsets.UTF_8), asked);
            boolean logged = Check.logged(request.getHeaders().getValuesList(Check.LOG));
            var unused = limits.ask(asked.build(), logged)
                    .thenAccept(answer -> write(response, callback, answer))
                    .whenComplete((written, error) -> {
                        if (error != null) {
                            fail(response, callback, error);
                        }
                    });
        } catch (InvalidProtocolBufferException e) {
            Responses.problem(response, callback, BAD_REQUEST, UNREADABLE);
        } catch (UnreadableCheckException e) {
            Responses.problem(response, callback, BAD_REQUEST, String.valueOf(e.getMessage()));
        }
    }

    private void write(Response response, Callback callback, DelayedResponse<RateLimitResponse> answer) {
        boolean allowed = answer.response().getOverallCode() == Code.OK;
        byte[] body = json(answer.response());
        CheckService.inTurn(
                answer.delayNanos(),
                () -> Responses.write(
                        response, callback, allowed ? OK : HttpSignals.REJECT_STATUS, "application/json", body));
    }

    private byte[] json(RateLimitResponse response) {
        try {
            return printer.print(response).getBytes(StandardCharsets.UTF_8);
        } catch (InvalidProtocolBufferException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void fail(Response response, Callback callback, Throwable error) {
        log.warn("a rate limit request could not be answered", error);
        Responses.problem(response, callback, SERVER_ERROR, "the request could not be answered");
    }
}
