package io.sluice.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FreePortTest {

    /** Another test JVM that would take a port; prints whether it could. */
    static final class OtherJvm {
        private OtherJvm() {}

        public static void main(String[] args) throws IOException {
            try (FileChannel channel = FileChannel.open(Path.of(args[0]), StandardOpenOption.WRITE);
                    FileLock lock = channel.tryLock(Long.parseLong(args[1]), 1, false)) {
                System.out.print(lock != null);
            }
        }
    }

    @Test
    void ports_areNeverThoseOfOutgoingConnections_andNoneComesTwice() {
        assertThat(IntStream.generate(FreePort::next).limit(300).boxed())
                .allMatch(port -> port >= 10_000 && port < 32_768)
                .doesNotHaveDuplicates();
    }

    @Test
    void port_canBeListenedOn() throws Exception {
        try (ServerSocket server = new ServerSocket(FreePort.next(), 1, InetAddress.getLoopbackAddress())) {
            assertThat(server.isBound()).isTrue();
        }
    }

    @Test
    void port_isReservedForThisJvm() throws Exception {
        assertThat(takenByAnother(FreePort.next())).isEqualTo("false");
        // above all ports, and of this JVM alone: others may run this test now
        assertThat(takenByAnother(100_000 + ProcessHandle.current().pid())).isEqualTo("true");
    }

    private static String takenByAnother(long port) throws Exception {
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        OtherJvm.class.getName(),
                        FreePort.file().toString(),
                        Long.toString(port))
                .redirectErrorStream(true)
                .start();
        return new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
