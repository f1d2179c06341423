package io.sluice.analyzer.ingest;

import io.sluice.contract.event.Addresses;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.json.MalformedRecord;
import java.nio.charset.StandardCharsets;

/**
 * The combined log format of Apache httpd, nginx and Tomcat, and the common one, which lacks referer and user agent:
 * {@code ADDRESS - USER [TIME] "REQUEST" STATUS BYTES "REFERER" "USER AGENT"}.
 *
 * <p>It is read around what clients can't forge: servers escape quotes, so the first one begins the request and what stands
 * right before it, at a fixed length, is the time, whatever a user name holds. Behind the bytes a line may end anywhere: a
 * log whose user agents were broken off still counts.
 *
 * <p>A virtual host in front of the address, as in Apache's {@code vhost_combined} ({@code HOST:PORT ADDRESS - USER [TIME] …}), is
 * recognized line by line and becomes {@code server_name}. Where several addresses stand there, the address is unknown.
 */
final class CombinedFormat implements LogFormat {
    private final LogSource source;
    private final Fields fields;

    CombinedFormat(LogSource source) {
        this.source = source;
        fields = source.fields();
    }

    @Override
    public Identity identity() {
        return source.identity();
    }

    @Override
    public RequestEvent read(byte[] line) throws MalformedRecord {
        LogSource.checkLength(line);
        int to = line.length;
        while (to > 0 && line[to - 1] >= 0 && line[to - 1] <= ' ') {
            to--;
        }
        int from = 0;
        while (from < to && line[from] >= 0 && line[from] <= ' ') {
            from++;
        }
        if (from == to) {
            throw new MalformedRecord("an empty line");
        }
        // some exports put the whole line into quotes
        boolean wrapped = line[from] == '"';
        fields.begin(line);
        split(line, wrapped ? from + 1 : from, to, wrapped);
        return source.event(fields);
    }

    private void split(byte[] line, int from, int to, boolean wrapped) throws MalformedRecord {
        int quote = Quotes.next(line, from, to);
        int bracket = quote - LogTime.LOCAL_LENGTH - 3;
        if (bracket <= from || line[bracket] != '[' || line[quote - 2] != ']' || line[quote - 1] != ' ') {
            throw new MalformedRecord(
                    wrapped
                            ? "begins with a quote and has no [time] before a request: the rest of a line broken in two"
                            : "no [time] before a \"request\": " + (quote < 0 ? "the line ends" : "at byte " + quote));
        }
        fields.put(LogSource.TIME_LOCAL, bracket + 1, bracket + 1 + LogTime.LOCAL_LENGTH);
        client(line, from, bracket);

        int request = wrapped && doubled(line, quote, to) ? quote + 2 : quote + 1;
        int end = Quotes.requestEnd(line, request, to);
        if (end < 0) {
            throw new MalformedRecord("no status behind the request, which begins at byte " + request);
        }
        fields.put(LogSource.REQUEST, request, Quotes.before(line, request, end));
        int status = end + 2;
        int afterStatus = word(line, status, to);
        fields.put(LogSource.STATUS, status, afterStatus);
        if (afterStatus + 1 >= to) {
            return;
        }
        int afterBytes = word(line, afterStatus + 1, to);
        // a quote here closes a wrapped common line
        fields.put(LogSource.BYTES, afterStatus + 1, Quotes.before(line, afterStatus + 1, afterBytes));
        quoted(line, quoted(line, afterBytes, to, LogSource.REFERER), to, LogSource.USER_AGENT);
    }

    /** {@code ADDRESS IDENT USER }, where a user's name may hold spaces; a virtual host may stand before them. */
    private void client(byte[] line, int from, int bracket) throws MalformedRecord {
        int begin = from;
        int address = word(line, begin, bracket);
        int ident = word(line, address + 1, bracket);
        if (!isList(line, from, address) && beginsWithHost(line, from, address, ident, bracket)) {
            int colon = port(line, from, address);
            fields.put(LogSource.SERVER_NAME, from, colon < 0 ? address : colon);
            begin = address + 1;
            address = ident;
            ident = word(line, address + 1, bracket);
        }
        if (isList(line, begin, address)) {
            while (line[address - 1] == ',' && ident < bracket) {
                address = ident;
                ident = word(line, address + 1, bracket);
            }
        } else {
            fields.put(LogSource.REMOTE_ADDR, begin, address);
        }
        if (ident + 1 < bracket) {
            fields.put(LogSource.REMOTE_USER, ident + 1, bracket - 1);
        }
    }

    /**
     * Returns whether a word is, or begins, a list of addresses, as of {@code X-Forwarded-For}: which of them a trusted proxy added is not known here. With
     * any of them as the caller, a client could accuse others, or be charged together with all that come through its proxy.
     */
    private static boolean isList(byte[] line, int from, int to) {
        for (int i = from; i < to; i++) {
            if (line[i] == ',') {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns whether the first word is a virtual host: four words or more stand before the time, and the second one is an address, or begins a list of
     * them, or the first one has a port. The ident is a dash in all but ancient logs, and never an address; two dashes behind a port are those of an
     * unknown address and the ident.
     */
    private static boolean beginsWithHost(byte[] line, int from, int first, int second, int bracket) {
        int third = word(line, second + 1, bracket);
        if (third + 1 >= bracket) {
            return false;
        }
        if (isDash(line, first + 1, second)) {
            return port(line, from, first) >= 0 && isDash(line, second + 1, third);
        }
        int address = line[second - 1] == ',' ? second - 1 : second;
        return port(line, from, first) >= 0 || isAddress(line, first + 1, address);
    }

    private static boolean isDash(byte[] line, int from, int to) {
        return to == from + 1 && line[from] == '-';
    }

    /** Where {@code :PORT} begins behind a name without any other colon, or -1. */
    private static int port(byte[] line, int from, int to) {
        int digits = to;
        while (digits > from && line[digits - 1] >= '0' && line[digits - 1] <= '9') {
            digits--;
        }
        int colon = digits - 1;
        if (digits == to || colon <= from || line[colon] != ':') {
            return -1;
        }
        for (int i = from; i < colon; i++) {
            if (line[i] == ':' && line[colon - 1] != ']') {
                return -1;
            }
        }
        return colon;
    }

    private static boolean isAddress(byte[] line, int from, int to) {
        return Addresses.canonical(new String(line, from, to - from, StandardCharsets.ISO_8859_1)) != null;
    }

    /** Takes the next quoted text and returns what stands behind it. */
    private int quoted(byte[] line, int from, int to, int slot) throws MalformedRecord {
        int begin = Quotes.next(line, from, to);
        if (begin < 0) {
            return to;
        }
        int text = doubled(line, begin, to) ? begin + 2 : begin + 1;
        int end = Quotes.closing(line, text, to);
        fields.put(slot, text, Quotes.before(line, text, end));
        return end + 1;
    }

    /** Returns whether a quote is written twice, as CSV does inside a quoted line; {@code ""} alone is an empty text. */
    private static boolean doubled(byte[] line, int quote, int to) {
        return quote + 2 < to && line[quote + 1] == '"' && line[quote + 2] != ' ';
    }

    /** Where the word ends that begins at {@code from}. */
    private static int word(byte[] line, int from, int to) {
        int end = from;
        while (end < to && line[end] != ' ') {
            end++;
        }
        return Math.min(end, to);
    }
}
