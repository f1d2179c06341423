package io.sluice.analyzer.meter;

import io.sluice.analyzer.load.Group;

/**
 * A grouping of a policy's subjects whose loads are counted.
 *
 * @param number differs between any two groups of policies and loads that are in use at the same time
 * @param policy its index in the {@link MeteredGroup}
 * @param places the positions of the group's values in the subject
 */
@SuppressWarnings("ArrayRecordComponent") // read by every event, and never compared
record MeteredLoad(int number, int policy, Group group, int[] places) {}
