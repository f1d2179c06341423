package io.sluice.analyzer.replay.scenario;

import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * All stories of {@code examples/scenarios}, by the names of their folders. The events there are made here and never edited
 * by hand; this writes them anew:
 *
 * <pre>./mvnw -pl analyzer/replay -am test -Dtest=ScenarioFilesTest -Dsurefire.failIfNoSpecifiedTests=false -Dsluice.scenarios=write
 * </pre>
 */
final class Stories {
    private static final Map<String, Supplier<EventLog>> ALL = new TreeMap<>(Map.ofEntries(
            Map.entry("above-and-spike", DemandStories::aboveAndSpike),
            Map.entry("allow-list", LifeStories::allowList),
            Map.entry("any-of", CrowdStories::anyOf),
            Map.entry("botnet", AttackStories::botnet),
            Map.entry("burst-at-border", LifeStories::burstAtBorder),
            Map.entry("bytes-hog", CrowdStories::bytesHog),
            Map.entry("clock-skew", ClockStories::clockSkew),
            Map.entry("credential-stuffing", AttackStories::credentialStuffing),
            Map.entry("debt", TermStories::debt),
            Map.entry("escalate", TermStories::escalate),
            Map.entry("flapping-demand", LifeStories::flappingDemand),
            Map.entry("framed-caller", AttackStories::framedCaller),
            Map.entry("guard", LifeStories::guard),
            Map.entry("late-upload", ClockStories::lateUpload),
            Map.entry("nat-gateway", CrowdStories::natGateway),
            Map.entry("plan-overrides", CrowdStories::planOverrides),
            Map.entry("retry-storm", LifeStories::retryStorm),
            Map.entry("shed", TermStories::shed),
            Map.entry("scraper", AttackStories::scraper),
            Map.entry("slow-query-hog", CrowdStories::slowQueryHog),
            Map.entry("small-spike", DemandStories::smallSpike),
            Map.entry("token-hog", CrowdStories::tokenHog)));

    private Stories() {}

    static Set<String> names() {
        return ALL.keySet();
    }

    static EventLog of(String name) {
        return Objects.requireNonNull(ALL.get(name), name).get();
    }
}
