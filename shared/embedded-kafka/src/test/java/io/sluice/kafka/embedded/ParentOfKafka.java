package io.sluice.kafka.embedded;

import java.nio.file.Path;

/** A process that starts a broker process, says its number and then only waits. */
final class ParentOfKafka {

    private ParentOfKafka() {}

    public static void main(String[] args) throws InterruptedException {
        KafkaProcess kafka = KafkaProcess.builder().data(Path.of(args[0])).start();
        System.out.println(kafka.pid());
        Thread.currentThread().join();
    }
}
