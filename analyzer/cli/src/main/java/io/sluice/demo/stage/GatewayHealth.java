package io.sluice.demo.stage;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.sluice.agent.AgentStatus;
import io.sluice.agent.GateAgent;
import io.sluice.contract.json.BoundedJson;
import java.io.IOException;

/**
 * Shows the state of the gateway's agent. Always 200: a gateway whose agent is cold or stale still serves, by its policies.
 */
final class GatewayHealth implements HttpHandler {
    private static final int OK = 200;

    private final GateAgent agent;

    GatewayHealth(GateAgent agent) {
        this.agent = agent;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        byte[] body = json(agent.status());
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        boolean head = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(OK, head ? -1 : body.length);
        if (!head) {
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }

    private static byte[] json(AgentStatus status) {
        return BoundedJson.write(to -> {
            to.writeStartObject();
            to.writeStringField("agent", status.agent());
            to.writeStringField("service", status.service());
            to.writeStringField("freshness", status.freshness().spelling());
            to.writeBooleanField("enforcing", status.enforcing());
            to.writeStringField("policies", status.policies());
            to.writeNumberField("locks", status.locks());
            to.writeNumberField("checks", status.checks());
            to.writeNumberField("rejections", status.rejections());
            to.writeNumberField("drops", status.drops());
            BoundedJson.texts("reasons", status.reasons(), to);
            to.writeEndObject();
        });
    }
}
