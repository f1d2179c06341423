/** TLS with certificates and keys in PEM files, which are read again when they change. */
@NullMarked
package io.sluice.http.tls;

import org.jspecify.annotations.NullMarked;
