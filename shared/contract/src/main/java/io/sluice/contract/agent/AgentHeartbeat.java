package io.sluice.contract.agent;

/**
 * What an agent tells of itself, every few seconds.
 *
 * @param agent the agent's id, 1 to 256 characters
 * @param service the service it guards, 1 to 256 characters
 * @param locks how many locks it holds
 * @param checks how many requests it checked since it started
 * @param rejections how many of them it turned away
 * @param drops how many request events it could not send
 * @param time the agent's own wall clock, epoch milliseconds, for people only
 */
public record AgentHeartbeat(
        String agent,
        String service,
        Freshness freshness,
        long locks,
        long checks,
        long rejections,
        long drops,
        long time) {}
