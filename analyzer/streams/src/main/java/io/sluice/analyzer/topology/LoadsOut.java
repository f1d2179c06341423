package io.sluice.analyzer.topology;

import io.sluice.analyzer.load.LoadSink;
import io.sluice.contract.usage.Load;
import io.sluice.contract.usage.UsageKey;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/** Output of a task to the loads topic. */
record LoadsOut(ProcessorContext<Object, Object> context, String sink) implements LoadSink {

    @Override
    public void load(UsageKey group, Load load) {
        context.forward(new Record<>(group, load, context.currentSystemTimeMs()), sink);
    }

    @Override
    public void gone(UsageKey group) {
        context.forward(new Record<>(group, null, context.currentSystemTimeMs()), sink);
    }
}
