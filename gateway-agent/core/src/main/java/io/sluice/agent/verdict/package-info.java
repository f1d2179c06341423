/** Answers of the agent to a check: {@link io.sluice.agent.verdict.Verdict} and its parts. */
@NullMarked
package io.sluice.agent.verdict;

import org.jspecify.annotations.NullMarked;
