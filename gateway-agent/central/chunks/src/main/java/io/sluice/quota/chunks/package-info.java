/** Permits of a central store taken ahead in chunks, {@link io.sluice.quota.chunks.ChunkedQuota}, and {@link io.sluice.quota.chunks.RendezvousHash}. */
@NullMarked
package io.sluice.quota.chunks;

import org.jspecify.annotations.NullMarked;
