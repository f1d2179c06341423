/** Limits of the fleet counted by PostgreSQL. Start at {@link io.sluice.quota.sql.SqlQuotaProvider}. */
@NullMarked
package io.sluice.quota.sql;

import org.jspecify.annotations.NullMarked;
