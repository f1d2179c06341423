package io.sluice.analyzer.cli;

import io.sluice.analyzer.ingest.LogFormat;
import io.sluice.contract.event.Cidr;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.json.MalformedRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Looks at the newest lines of one source: can they be read, and are their callers callers. One thread. */
final class SourceCheck {
    /** Fewer lines tell nothing of shares. */
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

    private final String topic;
    private final LogFormat format;
    private final Map<String, Integer> addresses = new HashMap<>();
    private final Map<String, Integer> unread = new HashMap<>();
    private int lines;
    private int read;

    SourceCheck(String topic, LogFormat format) {
        this.topic = topic;
        this.format = format;
    }

    void line(byte[] line) {
        lines++;
        try {
            RequestEvent event = format.read(line);
            read++;
            String address = isPrivate(event.caller()) || event.ip() == null ? event.caller() : event.ip();
            if (isPrivate(address)) {
                addresses.merge(address, 1, Integer::sum);
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
        String about = "source " + topic;
        if (lines == 0) {
            return List.of(Symptom.doubtful(
                    about,
                    "holds nothing: nothing can be counted",
                    "see that agent, proxy or log shipper write to it"));
        }
        List<Symptom> symptoms = new ArrayList<>();
        if (lines - read > lines * MANY) {
            String reason = most(unread);
            symptoms.add(Symptom.wrong(
                    about,
                    (lines - read) + " of the last " + lines + " lines can't be read, most often: " + reason,
                    "see './sluice dead-letters list'; the source's format and fields stand in sluice.yml"));
        }
        String address = most(addresses);
        int times = addresses.getOrDefault(address, 0);
        if (read >= FEW && times > read * MOST_OF_IT) {
            symptoms.add(Symptom.wrong(
                    about,
                    Math.round(times * 100.0 / read) + " % of the last " + read + " requests come from " + address
                            + ", a private address: most likely a load balancer, taken for a caller",
                    "let the source's caller be what names the real one ($http_x_forwarded_for, $remote_user), or in an agent"
                            + " set agent.trusted-proxies; until then everybody is locked together"));
        }
        return symptoms.isEmpty() ? List.of(Symptom.well(about, "its last " + lines + " lines can be read")) : symptoms;
    }

    private static String most(Map<String, Integer> counts) {
        return counts.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse("");
    }
}
