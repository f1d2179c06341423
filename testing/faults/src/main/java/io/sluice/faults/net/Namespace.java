package io.sluice.faults.net;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A network of its own for a process, tied to ours by one cable (a veth pair) that can be pulled. Linux, as root. What is run
 * behind {@link #command()} reaches us at {@link #hostAddress()} only; its name server and hosts file are its own. One thread.
 */
public final class Namespace implements AutoCloseable {
    private static final Path FILES = Path.of("/etc/netns");
    private static final int TRIES = 20;

    private final String name;
    private final String cable;
    private final String network;
    private final Path files;

    private Namespace(String name, String network) throws IOException {
        this.name = name;
        this.cable = "sv" + name.substring("sluice-".length());
        this.network = network;
        // processes in the namespace see these files in /etc
        this.files = Files.createDirectories(FILES.resolve(name));
        hosts("");
        nameServer("127.0.0.1");
    }

    /** Why there can be no namespaces here, in words; empty when there can. */
    public static String impossible() {
        try {
            create().close();
            return "";
        } catch (IllegalStateException | UncheckedIOException e) {
            return "network namespaces can't be made here (root and ip are needed): " + e.getMessage();
        }
    }

    /**
     * Makes one.
     *
     * @throws IllegalStateException where that is not allowed
     */
    public static Namespace create() {
        long pid = ProcessHandle.current().pid();
        IllegalStateException last = new IllegalStateException("not tried");
        for (int i = 0; i < TRIES; i++) {
            int number = (int) ((pid * TRIES + i) % 60_000);
            String network = "10." + (140 + number / 250 % 100) + "." + number % 250 + ".";
            try {
                return made(new Namespace("sluice-" + number, network));
            } catch (IllegalStateException taken) {
                last = taken;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        throw last;
    }

    private static Namespace made(Namespace space) {
        try {
            space.make();
            return space;
        } catch (IllegalStateException e) {
            space.close();
            throw e;
        }
    }

    private void make() {
        ip("netns add " + name);
        ip("link add " + cable + "h type veth peer name " + cable + "g");
        ip("link set " + cable + "g netns " + name);
        ip("addr add " + hostAddress() + "/30 dev " + cable + "h");
        ip("link set " + cable + "h up");
        inside("addr add " + network + "2/30 dev " + cable + "g");
        inside("link set " + cable + "g up");
        inside("link set lo up");
    }

    /** What stands in front of a command that is to run there. */
    public List<String> command() {
        return List.of("ip", "netns", "exec", name);
    }

    /** Ours, as seen from there. */
    public String hostAddress() {
        return network + "1";
    }

    /** Drops all packets, as a pulled cable does: neither side gets an error. */
    public void pull() {
        ip("link set " + cable + "h down");
    }

    /** Puts it back. */
    public void plug() {
        ip("link set " + cable + "h up");
    }

    /** From there no way leads to us: each try is an error at once. */
    public void blackhole() {
        inside("route add blackhole " + hostAddress() + "/32");
    }

    /** The way is back. */
    public void unblackhole() {
        inside("route del blackhole " + hostAddress() + "/32");
    }

    /** What its hosts file says from now on. */
    public void hosts(String content) {
        write("hosts", content);
    }

    /** Sets the name server it asks from now on. */
    public void nameServer(String address) {
        write("resolv.conf", "nameserver " + address + "\noptions timeout:2 attempts:1\n");
    }

    private void write(String file, String content) {
        try {
            // in place: a running process has this very file mounted
            Files.writeString(files.resolve(file), content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void inside(String arguments) {
        ip("-n " + name + " " + arguments);
    }

    private static void ip(String arguments) {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments.split(" ", -1)));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (!process.waitFor(2, TimeUnit.MINUTES) || process.exitValue() != 0) {
                throw new IllegalStateException("ip " + arguments + ": " + said);
            }
        } catch (IOException e) {
            throw new IllegalStateException("ip can't be run: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Removes the namespace; a process that still runs there has no network. */
    @Override
    public void close() {
        for (String arguments : List.of("link del " + cable + "h", "netns del " + name)) {
            try {
                ip(arguments);
            } catch (IllegalStateException never) {
                // it was not made, or went with the other
            }
        }
        try {
            Files.deleteIfExists(files.resolve("hosts"));
            Files.deleteIfExists(files.resolve("resolv.conf"));
            Files.deleteIfExists(files);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
