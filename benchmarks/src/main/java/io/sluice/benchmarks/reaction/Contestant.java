package io.sluice.benchmarks.reaction;

import io.sluice.contract.topic.TopicNames;

/**
 * A contender that reacts.
 *
 * @param witness sees it
 * @param extraNanos what is added to each of its reactions
 */
record Contestant(String name, TopicNames topics, Witness witness, long extraNanos) {}
