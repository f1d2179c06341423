/**
 * What the analyzer would have done with logs of the past: the plain pipeline of meter, detect and decide, driven in event
 * time. Start at {@link io.sluice.analyzer.replay.Replay}; {@link io.sluice.analyzer.replay.ReplayEngine} is the
 * pipeline.
 *
 * <p>Each log is read twice. The first reading finds out how far its lines are out of order, and the second holds back
 * just as many as it needs to put them in order: exact for any log, and a sorted one takes no memory, however long it is.
 */
@NullMarked
package io.sluice.analyzer.replay;

import org.jspecify.annotations.NullMarked;
