package io.sluice.benchmarks.reaction;

import io.sluice.settings.InvalidSettings;
import io.sluice.settings.SluiceSettings;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** An analyzer's settings as a contender has them: the defaults, apart from where it finds and puts things. */
final class Settings {
    /** Of each topic. */
    static final int PARTITIONS = 4;

    private Settings() {}

    static SluiceSettings of(String bootstrap, String prefix, Path state, boolean exactlyOnce) throws InvalidSettings {
        Map<String, String> environment = new HashMap<>(Map.of(
                "SLUICE_KAFKA_BOOTSTRAP_SERVERS",
                bootstrap,
                "SLUICE_TOPICS_PREFIX",
                prefix,
                "SLUICE_TOPICS_CREATE",
                "true",
                "SLUICE_TOPICS_PARTITIONS",
                Integer.toString(PARTITIONS),
                "SLUICE_ANALYZER_INSTANCE",
                "reaction",
                "SLUICE_ANALYZER_STATE_DIR",
                state.toString()));
        if (exactlyOnce) {
            environment.put("SLUICE_ANALYZER_GUARANTEE", "exactly-once");
        }
        return SluiceSettings.read(null, environment);
    }
}
