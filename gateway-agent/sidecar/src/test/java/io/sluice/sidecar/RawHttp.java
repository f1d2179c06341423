package io.sluice.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An HTTP/1.1 connection byte by byte. */
final class RawHttp implements AutoCloseable {
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d{3})");
    private static final Pattern LENGTH = Pattern.compile("(?i)content-length: (\\d+)");

    private final Socket socket;

    RawHttp(URI server) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), server.getPort());
        socket.setSoTimeout(120_000);
    }

    void send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Returns whether a byte of an answer has arrived. */
    boolean answered() throws IOException {
        return socket.getInputStream().available() > 0;
    }

    /** Reads one answer, and no byte of the next. */
    int status() throws IOException {
        InputStream in = socket.getInputStream();
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            assertThat(next).as("a byte after " + head).isNotNegative();
            head.append((char) next);
        }
        Matcher length = LENGTH.matcher(head);
        in.readNBytes(length.find() ? Integer.parseInt(length.group(1)) : 0);
        Matcher status = STATUS.matcher(head);
        assertThat(status.lookingAt()).as(head.toString()).isTrue();
        return Integer.parseInt(status.group(1));
    }

    /** Reads all answers until the server closes the connection. */
    String rest() throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
