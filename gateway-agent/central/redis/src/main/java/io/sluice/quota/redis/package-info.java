/**
 * Limits of the fleet counted by Redis, version 6 or later: strategies {@code redis} and {@code redis-chunks}. Settings are read by {@link
 * io.sluice.quota.redis.RedisSettings}.
 */
@NullMarked
package io.sluice.quota.redis;

import org.jspecify.annotations.NullMarked;
