package io.sluice.contract.agent;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Why an agent does not fully work, or acts differently than its policies suggest. Constants are only ever added: they are in records. */
public enum AgentReason {
    /** Of {@link Freshness#COLD}. */
    TOPICS_UNREAD("the decision topics have not been read to their ends"),
    /** Of {@link Freshness#COLD}. */
    TIME_UNKNOWN("broker time is not known"),
    /** Of {@link Freshness#STALE}. */
    ANALYZER_SILENT("an analyzer task sends no heartbeats"),
    TOPICS_UNREACHABLE("the decision topics cannot be read"),
    TIMESTAMPS_WRONG("a decision topic lacks message.timestamp.type=LogAppendTime"),
    POLICIES_UNREADABLE("the newest policies cannot be read; the last good ones are kept"),
    RECORDS_MALFORMED("decision records could not be read and were skipped"),
    RECORDS_NEWER("decision records of a newer version were skipped"),
    RECORDS_UNSIGNED("decision records without a valid signature were skipped"),
    MODES_UNKNOWN("locks with a mode of a newer version only report"),
    NO_POLICIES("no policies are in force"),
    OFF_BY_SETTING("its own settings switch rejections off"),
    OFF_BY_OPERATOR("an operator switched rejections off"),
    LEASES_CUT("analyzers lock for longer than agent.max-lease allows: it may end locks early"),
    TABLE_FULL("its table of subjects is full: further callers share one limit"),
    CALLERS_CLAIMED("more than 1 % of its checks have a claimed caller, which no policy by caller locks"),
    COST_IGNORED("requests name a cost that no policy limits: each counts one"),
    STORE_UNANSWERED("a store of limits gives no answers: it applies its share"),
    LOG_UNSENT("its access log cannot be sent"),
    HEARTBEATS_UNSENT("heartbeats could not be sent"),
    LISTENER_FAILS("a listener of its host fails"),
    CHECKS_FAIL("checks failed internally and let requests pass"),
    MAINTENANCE_FAILS("its maintenance fails: leases may not end in time");

    private static final Map<String, AgentReason> BY_CODE =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(AgentReason::code, Function.identity()));

    private final String code;
    private final String meaning;

    AgentReason(String meaning) {
        this.code = name().toLowerCase(Locale.ROOT).replace('_', '-');
        this.meaning = meaning;
    }

    /** Returns its name in records, such as {@code table-full}. */
    public String code() {
        return code;
    }

    /** Returns what it means, in words, of an agent. */
    public String meaning() {
        return meaning;
    }

    /** Returns the reason with this code; empty for one of a newer version. */
    public static Optional<AgentReason> of(String code) {
        return Optional.ofNullable(BY_CODE.get(code));
    }
}
