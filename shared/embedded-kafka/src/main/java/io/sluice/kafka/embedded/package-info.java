/**
 * A real single-node Kafka broker (KRaft: broker and controller in one) for the default mode, the demo and tests.
 *
 * <p>Start at {@link io.sluice.kafka.embedded.EmbeddedKafka}: the broker inside this process. {@link
 * io.sluice.kafka.embedded.KafkaProcess} runs the same broker as a process of its own, which can be killed, frozen and
 * restarted; {@link io.sluice.kafka.embedded.EmbeddedKafkaMain} is what that process runs.
 *
 * <p><b>Logging.</b> Kafka logs through SLF4J with the loggers {@code kafka}, {@code org.apache.kafka}, {@code
 * state.change.logger} and {@code com.yammer}. At INFO a start is some thousand lines. For logback this package brings
 * the levels that leave nothing but trouble:
 *
 * <pre>{@code <include resource="io/sluice/kafka/embedded/quiet-loggers.xml"/>}</pre>
 *
 * <p>Kafka's internals, which change with every release, are used by one class here and nowhere else.
 */
@NullMarked
package io.sluice.kafka.embedded;

import org.jspecify.annotations.NullMarked;
