package io.sluice.analyzer.cli;

import io.sluice.analyzer.Plural;
import io.sluice.analyzer.ingest.LogFormat;
import io.sluice.analyzer.ingest.LogFormats;
import io.sluice.contract.event.Cidr;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.pseudonym.Pseudonyms;
import io.sluice.settings.SourceSettings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Checks the newest lines of one source: whether they can be read, and whether their callers can be locked. One thread. */
final class SourceCheck {
    /** Fewer lines are not enough for shares. */
    private static final int FEW = 100;

    private static final double MOST_OF_IT = 0.9;
    private static final double MANY = 0.01;
    private static final List<Cidr> PRIVATE = List.of(
            Cidr.parse("10.0.0.0/8"),
            Cidr.parse("172.16.0.0/12"),
            Cidr.parse("192.168.0.0/16"),
            Cidr.parse("100.64.0.0/10"),
            Cidr.parse("127.0.0.0/8"),
            Cidr.parse("169.254.0.0/16"),
            Cidr.parse("fc00::/7"),
            Cidr.parse("fe80::/10"),
            Cidr.parse("::1/128"));

    private final SourceSettings source;
    private final Pseudonyms pseudonyms;
    private final LogFormat format;
    private final Map<String, Integer> addresses = new HashMap<>();
    private final Map<String, Integer> unread = new HashMap<>();
    private int lines;
    private int read;
    private long requests;
    private long claimed;
    private int named;

    /**
     * @param pseudonyms the keys of those that callers should be
     * @throws IllegalArgumentException when the source's format is unknown or its settings do not fit it
     */
    SourceCheck(SourceSettings source, Pseudonyms pseudonyms) {
        this.pseudonyms = pseudonyms;
        this.source = source;
        format = LogFormats.of(source);
    }

    void line(byte[] line) {
        lines++;
        try {
            RequestEvent event = format.read(line);
            read++;
            requests += event.count();
            claimed += event.identity() == Identity.CLAIMED ? event.count() : 0;
            named += pseudonyms.hides(event.caller()) ? 0 : 1;
            if (isPrivate(event.caller())) {
                addresses.merge(event.caller(), 1, Integer::sum);
            }
        } catch (MalformedRecord e) {
            unread.merge(String.valueOf(e.getMessage()), 1, Integer::sum);
        } catch (RuntimeException e) {
            unread.merge(e.getClass().getName(), 1, Integer::sum);
        }
    }

    private static boolean isPrivate(String address) {
        return PRIVATE.stream().anyMatch(network -> network.contains(address));
    }

    List<Symptom> symptoms() {
        String about = "source " + source.topic();
        if (lines == 0) {
            return List.of(Symptom.warn(
                    about,
                    "holds nothing: nothing can be counted",
                    "see that agent, proxy or log shipper write to it"));
        }
        List<Symptom> symptoms = new ArrayList<>();
        if (lines - read > lines * MANY) {
            String reason = most(unread);
            symptoms.add(Symptom.fail(
                    about,
                    Spans.grouped(lines - read) + " of the last " + Plural.of(lines, "line")
                            + " can't be read, most often: " + reason,
                    "see './sluice dead-letters list'; the source's format and fields stand in sluice.yml"));
        }
        String address = most(addresses);
        int times = addresses.getOrDefault(address, 0);
        if (read >= FEW && times > read * MOST_OF_IT) {
            symptoms.add(Symptom.fail(
                    about,
                    Math.round(times * 100.0 / read) + " % of the last " + Plural.of(read, "request") + " come from "
                            + address + ", a private address: most likely a load balancer, taken for a caller",
                    "let the source's caller be what names the real one ($http_x_forwarded_for, $remote_user), or in an agent"
                            + " set agent.trusted-proxies; until then all its callers are locked together"));
        }
        if (claimed > requests * MANY) {
            symptoms.add(Symptom.warn(
                    about,
                    Math.round(claimed * 100.0 / requests) + " % of the last " + Plural.of(requests, "request")
                            + " have a claimed caller: policies that count by caller never lock for them",
                    claimedRemedy()));
        }
        if (named > 0) {
            symptoms.add(Symptom.warn(
                    about,
                    Spans.grouped(named) + " of the last " + Plural.of(read, "request")
                            + " name their caller, although there are keys of" + " pseudonyms: " + pseudonyms,
                    "only agents and sidecars write pseudonyms: set agent.pseudonym-key-file in their settings and restart"
                            + " them; proxies and log shippers write names"));
        }
        return symptoms.isEmpty()
                ? List.of(Symptom.ok(about, "its last " + Plural.of(lines, "line") + " can be read"))
                : symptoms;
    }

    private String claimedRemedy() {
        // the weaker of event and source counts: a source that believes its events leaves it to them
        return format.identity() == Identity.CLAIMED
                ? "if something in front verifies these callers: identity: authenticated in source " + source.topic()
                        + " in sluice.yml"
                : "if the services verify their callers: agent.identity: authenticated in their settings (Spring Boot:"
                        + " sluice.agent.identity)";
    }

    private static String most(Map<String, Integer> counts) {
        return counts.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse("");
    }
}
