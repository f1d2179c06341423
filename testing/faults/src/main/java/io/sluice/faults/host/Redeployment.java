package io.sluice.faults.host;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.WeakReference;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * A service deployed again and again in one JVM, as application servers do: each time a new class loader with its own agent and
 * Kafka clients, and then the old one should be gone, with its threads.
 */
public final class Redeployment {
    private static final long PATIENCE_NANOS = 120_000_000_000L;
    private static final long LOOK_NANOS = 50_000_000;

    private Redeployment() {}

    /** Deploys and closes so many times, one after the other; then: threads and class loaders that are left. */
    static String times(int times, Map<String, String> settings) throws Exception {
        List<WeakReference<ClassLoader>> deployed = new ArrayList<>();
        long longest = 0;
        for (int i = 0; i < times; i++) {
            URLClassLoader loader = new URLClassLoader("deployment-" + i, classPath(), platform());
            deployed.add(new WeakReference<>(loader));
            longest = Math.max(longest, deploy(loader, settings));
        }
        int loaders = left(deployed);
        return "threads=" + agentThreads(false) + " loaders=" + loaders + " longest=" + longest;
    }

    private static ClassLoader platform() {
        return ClassLoader.getPlatformClassLoader();
    }

    private static long deploy(URLClassLoader loader, Map<String, String> settings) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader own = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try (loader) {
            Class<?> service = loader.loadClass(Redeployment.class.getName());
            return (Long) service.getMethod("deployed", Map.class).invoke(null, settings);
        } finally {
            thread.setContextClassLoader(own);
        }
    }

    /** Called in the new class loader: an agent's whole life. How long its end took, in milliseconds. */
    public static long deployed(Map<String, String> settings) {
        var agent = HostMain.builder(settings).build();
        long end = System.nanoTime() + 2_000_000_000L;
        // long enough for its clients to be there, whether or not there is a broker
        while (agent.status().sent() == 0 && System.nanoTime() < end && clientThreads() < 2) {
            agent.log(agent.request("c").build(), agent.check(agent.request("c").build()), 200, 1, 1);
            LockSupport.parkNanos(LOOK_NANOS);
        }
        long begin = System.nanoTime();
        agent.close();
        return (System.nanoTime() - begin) / 1_000_000;
    }

    private static long clientThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread ->
                        thread.getContextClassLoader() == Thread.currentThread().getContextClassLoader())
                .filter(thread -> thread.getName().startsWith("kafka-"))
                .count();
    }

    /** Which threads of this service's own agent are left, once they have had the time to end that its close gives them. */
    static List<String> left() {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (!agentThreads(true).isEmpty() && System.nanoTime() < end) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return agentThreads(true);
    }

    /** Threads of agents and Kafka clients that are alive now, by name: of this service itself, or of what was deployed. */
    private static List<String> agentThreads(boolean own) {
        List<String> names = new ArrayList<>();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            boolean ours = thread.getContextClassLoader() == Redeployment.class.getClassLoader();
            if (ours == own
                    && (thread.getName().startsWith("sluice-")
                            || thread.getName().startsWith("kafka-"))) {
                names.add(thread.getName());
            }
        }
        return names;
    }

    private static int left(List<WeakReference<ClassLoader>> deployed) {
        long end = System.nanoTime() + PATIENCE_NANOS;
        int left;
        do {
            System.gc();
            LockSupport.parkNanos(LOOK_NANOS);
            left = (int) deployed.stream().filter(it -> it.get() != null).count();
        } while (left > 0 && System.nanoTime() < end);
        return left;
    }

    private static URL[] classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(entry -> {
                    try {
                        return new File(entry).getCanonicalFile().toURI().toURL();
                    } catch (MalformedURLException e) {
                        throw new IllegalStateException(e);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                })
                .toArray(URL[]::new);
    }
}
