/** Files of secret keys, and the HMAC under them. */
@NullMarked
package io.sluice.contract.secret;

import org.jspecify.annotations.NullMarked;
