package io.sluice.analyzer.api;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Set;
import org.eclipse.jetty.http.MultiPart;
import org.eclipse.jetty.http.MultiPartFormData;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.util.Promise;
import org.jspecify.annotations.Nullable;

/**
 * A log and, where they are sent with it, policies, from a body of {@code multipart/form-data} (RFC 7578). Everything stays in heap.
 *
 * @param name of the log's file
 * @param policies the content of a policy file, or {@code null}
 */
@SuppressWarnings("ArrayRecordComponent") // read, compared never
record Upload(String name, byte[] log, byte @Nullable [] policies) {
    private static final String TYPE = "multipart/form-data";
    private static final String LOG = "log";
    private static final String POLICIES = "policies";
    private static final Set<String> PARTS = Set.of(LOG, POLICIES);

    /**
     * Reads a body.
     *
     * @param contentType the request's header, {@code null} for none
     * @throws Question.Wrong 415 for another type; 400 when a part is missing, unknown or cut off
     */
    static Upload of(@Nullable String contentType, byte[] body) throws Question.Wrong {
        String boundary =
                contentType == null || !contentType.toLowerCase(Locale.ROOT).startsWith(TYPE)
                        ? null
                        : MultiPart.extractBoundary(contentType);
        if (boundary == null) {
            throw new Question.Wrong(
                    415,
                    "needs Content-Type: " + TYPE + " with the parts log and policies, such as"
                            + " 'curl -F log=@access.log -F policies=@policies.yml' sends");
        }
        MultiPartFormData.Parser parser = new MultiPartFormData.Parser(boundary);
        parser.setMaxParts(PARTS.size());
        // never a file: nothing of an upload is to stay on disk
        parser.setMaxMemoryFileSize(-1);
        Parsed parsed = new Parsed();
        parser.parse(Content.Source.from(ByteBuffer.wrap(body)), parsed);
        try (MultiPartFormData.Parts parts = parsed.parts()) {
            return of(parts);
        } catch (IOException e) {
            throw new Question.Wrong(400, "the body is no complete " + TYPE + ": " + e.getMessage());
        }
    }

    /** Result of parsing a body that is there as a whole, so that nothing is waited for. */
    private static final class Parsed implements Promise.Invocable<MultiPartFormData.Parts> {
        private MultiPartFormData.@Nullable Parts parts;
        private String problem = "it is cut off";

        @Override
        public void succeeded(MultiPartFormData.Parts result) {
            parts = result;
        }

        @Override
        public void failed(Throwable why) {
            problem = String.valueOf(why.getMessage());
        }

        MultiPartFormData.Parts parts() throws IOException {
            if (parts == null) {
                throw new IOException(problem);
            }
            return parts;
        }
    }

    private static Upload of(MultiPartFormData.Parts parts) throws IOException, Question.Wrong {
        for (MultiPart.Part part : parts) {
            if (!PARTS.contains(String.valueOf(part.getName()))) {
                throw new Question.Wrong(400, "found the part " + part.getName() + ", allowed are log and policies");
            }
        }
        MultiPart.Part log = parts.getFirst(LOG);
        MultiPart.Part policies = parts.getFirst(POLICIES);
        if (log == null) {
            throw new Question.Wrong(400, "the part log is missing: the log to replay");
        }
        String name = log.getFileName() == null || log.getFileName().isEmpty() ? LOG : log.getFileName();
        return new Upload(name, bytes(log), policies == null ? null : bytes(policies));
    }

    private static byte[] bytes(MultiPart.Part part) throws IOException {
        ByteBuffer content = Content.Source.asByteBuffer(part.createContentSource());
        byte[] bytes = new byte[content.remaining()];
        content.get(bytes);
        return bytes;
    }
}
