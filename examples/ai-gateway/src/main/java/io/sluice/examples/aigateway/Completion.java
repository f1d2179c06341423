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
    private static final int MOST_TOKENS = 32_768;

    /** @throws IOException with the field, what was found and what is allowed when the body is not such a request */
    static Completion parse(byte[] body) throws IOException {
        JsonNode read = JSON.readTree(body);
        String prompt = read.path("prompt").asText();
        if (prompt.isBlank()) {
            throw new IOException("prompt: missing or empty");
        }
        int maxTokens = read.path("max_tokens").asInt(256);
        if (maxTokens < 1 || maxTokens > MOST_TOKENS) {
            throw new IOException("max_tokens: found " + maxTokens + ", allowed is 1 to " + MOST_TOKENS);
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
