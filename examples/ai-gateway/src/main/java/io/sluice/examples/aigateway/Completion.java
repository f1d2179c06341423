package io.sluice.examples.aigateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;

/**
 * A request for a completion. Words stand for tokens here; a real gateway uses its model's tokenizer.
 *
 * @param maxTokens the most tokens of the answer
 */
record Completion(String prompt, int maxTokens) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MOST_TOKENS = 4096;

    /** @throws IOException when the body is not such a request */
    static Completion parse(byte[] body) throws IOException {
        JsonNode read = JSON.readTree(body);
        String prompt = read.path("prompt").asText();
        int maxTokens = read.path("max_tokens").asInt(256);
        if (prompt.isBlank() || maxTokens < 1 || maxTokens > MOST_TOKENS) {
            throw new IOException("a completion needs a prompt and max_tokens from 1 to " + MOST_TOKENS);
        }
        return new Completion(prompt, maxTokens);
    }

    int promptTokens() {
        return prompt.trim().split("\\s+", -1).length;
    }

    /** Returns the most that the request can cost, which is reserved before it is sent to the model. */
    int mostTokens() {
        return promptTokens() + maxTokens;
    }
}
