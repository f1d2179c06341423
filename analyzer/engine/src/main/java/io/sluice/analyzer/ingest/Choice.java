package io.sluice.analyzer.ingest;

import io.sluice.contract.event.Addresses;
import io.sluice.contract.event.Identity;
import org.jspecify.annotations.Nullable;

/**
 * A field that may contain the caller.
 *
 * @param address whether it is the client's address, as the server saw it
 * @param forwarded whether it lists addresses as {@code X-Forwarded-For} does: the first address is the client's
 * @param identity how far it can be believed
 */
record Choice(int slot, boolean address, boolean forwarded, Identity identity) {

    /** Returns the caller in a value; addresses in their canonical form, of IPv6 the network that counts as one caller. */
    @Nullable
    String caller(Fields fields, int ipv6Prefix) {
        String text = fields.text(slot);
        if (text == null || !(address || forwarded)) {
            return text;
        }
        int comma = forwarded ? text.indexOf(',') : -1;
        String first = comma < 0 ? text : text.substring(0, comma).strip();
        String spelt = Addresses.canonical(first);
        return spelt == null ? first : Addresses.caller(spelt, ipv6Prefix);
    }
}
