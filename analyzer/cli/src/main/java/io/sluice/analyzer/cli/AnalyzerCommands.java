package io.sluice.analyzer.cli;

import java.util.List;

/** The subcommands of this module. */
final class AnalyzerCommands implements CommandSource {
    static final String COMPLETION = "completion";
    static final String HELP = "help";

    @Override
    public List<String> names() {
        return List.of(
                "analyzer",
                "replay",
                "policies",
                "locks",
                "enforce",
                "callers",
                "agents",
                "dashboard",
                "dead-letters",
                "explain",
                "doctor",
                "topics",
                "pseudonym",
                COMPLETION,
                HELP,
                "candidates");
    }

    @Override
    public Object create(String name) {
        return switch (name) {
            case "analyzer" -> new AnalyzerCommand();
            case "replay" -> new ReplayCommand(new KafkaLogs());
            case "policies" -> new PoliciesCommand();
            case "locks" -> new LocksCommand();
            case "enforce" -> new EnforceCommand();
            case "callers" -> new CallersCommand();
            case "agents" -> new AgentsCommand();
            case "dashboard" -> new DashboardCommand();
            case "dead-letters" -> new DeadLettersCommand();
            case "explain" -> new ExplainCommand();
            case "doctor" -> new DoctorCommand();
            case "topics" -> new TopicsCommand();
            case "pseudonym" -> new PseudonymCommand();
            case COMPLETION -> new CompletionCommand();
            case HELP -> new HelpCommand();
            case "candidates" -> new CandidatesCommand();
            default -> throw new IllegalArgumentException(name);
        };
    }
}
