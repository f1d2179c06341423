package io.sluice.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("server")
class AnalyzerStartTest {

    @Test
    void withoutACluster_theFirstLineSaysWhereTheBrokerIsAndWhereItsDataGoes(@TempDir Path folder) throws Exception {
        // whether or not something else has the port: it comes before the broker does
        try (SluiceProcess analyzer = SluiceProcess.start("analyzer", List.of("analyzer"), Map.of(), folder)) {
            await().until(() -> !analyzer.after("").isEmpty());

            assertThat(analyzer.first())
                    .contains("starting a broker on 127.0.0.1:9092")
                    .contains("data in " + folder.toRealPath().resolve("data/kafka"))
                    .contains("its log in " + folder.toRealPath().resolve("data/kafka-broker.log"));
        }
    }
}
