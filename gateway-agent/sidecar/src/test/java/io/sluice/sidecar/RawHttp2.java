package io.sluice.sidecar;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/** An HTTP/2 connection that begins gRPC calls and ends none; follows flow control of the connection, not of streams. */
final class RawHttp2 implements AutoCloseable {
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RESET = 3;
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int WINDOW_UPDATE = 8;
    private static final int ACK = 1;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;
    private static final int FRAME = 16_384;

    private final Socket socket;
    private final OutputStream out;
    private final Semaphore window = new Semaphore(65_535);
    private final Set<Integer> ended = ConcurrentHashMap.newKeySet();

    RawHttp2(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        out = socket.getOutputStream();
        out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        frame(SETTINGS, 0, 0, new byte[0]);
        Thread reader = new Thread(this::read, "raw-http2");
        reader.setDaemon(true);
        reader.start();
    }

    /** Sends a call's headers. */
    void call(int stream, String method) throws IOException {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        header(block, ":method", "POST");
        header(block, ":scheme", "http");
        header(block, ":path", method);
        header(block, ":authority", "sidecar");
        header(block, "content-type", "application/grpc");
        header(block, "te", "trailers");
        frame(HEADERS, END_HEADERS, stream, block.toByteArray());
    }

    /** Sends the beginning of a message, or all of it. */
    void message(int stream, int length, byte[] sent) throws IOException, InterruptedException {
        byte[] prefix = {0, (byte) (length >> 24), (byte) (length >> 16), (byte) (length >> 8), (byte) length};
        data(stream, prefix, 0, prefix.length);
        for (int at = 0; at < sent.length; at += FRAME) {
            data(stream, sent, at, Math.min(FRAME, sent.length - at));
        }
    }

    private void data(int stream, byte[] from, int at, int length) throws IOException, InterruptedException {
        window.acquire(length);
        byte[] payload = new byte[length];
        System.arraycopy(from, at, payload, 0, length);
        frame(DATA, 0, stream, payload);
    }

    /** The streams that the server ended. */
    Set<Integer> ended() {
        return ended;
    }

    private static void header(ByteArrayOutputStream block, String name, String value) {
        // a literal that is not indexed, with a new name
        block.write(0);
        for (String text : new String[] {name, value}) {
            byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
            block.write(bytes.length);
            block.writeBytes(bytes);
        }
    }

    private synchronized void frame(int type, int flags, int stream, byte[] payload) throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
        frame.put((byte) (payload.length >> 16)).putShort((short) payload.length);
        frame.put((byte) type).put((byte) flags).putInt(stream).put(payload);
        out.write(frame.array());
    }

    private void read() {
        try (DataInputStream in = new DataInputStream(socket.getInputStream())) {
            while (true) {
                int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
                int type = in.readUnsignedByte();
                int flags = in.readUnsignedByte();
                int stream = in.readInt();
                byte[] payload = in.readNBytes(length);
                if (type == WINDOW_UPDATE && stream == 0) {
                    window.release(ByteBuffer.wrap(payload).getInt());
                } else if (type == RESET || (type == HEADERS && (flags & END_STREAM) != 0)) {
                    ended.add(stream);
                } else if ((type == SETTINGS || type == PING) && (flags & ACK) == 0) {
                    frame(type, ACK, 0, type == PING ? payload : new byte[0]);
                }
            }
        } catch (IOException closed) {
            // the end of the connection
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
