package io.sluice.contract.policy;

/** One status, or a class of them such as {@code 5xx}. */
record StatusRange(int from, int to) {
    static final String ALLOWED = "allowed: a status such as 401, or a class from 1xx to 5xx";

    /**
     * Reads {@code 401} or {@code 5xx}.
     *
     * @throws IllegalArgumentException naming what is allowed
     */
    static StatusRange parse(String text) {
        if (text.matches("[1-5]xx")) {
            int from = (text.charAt(0) - '0') * 100;
            return new StatusRange(from, from + 99);
        }
        if (text.matches("[1-5][0-9][0-9]")) {
            int status = Integer.parseInt(text);
            return new StatusRange(status, status);
        }
        throw new IllegalArgumentException(ALLOWED);
    }

    boolean contains(int status) {
        return status >= from && status <= to;
    }

    @Override
    public String toString() {
        return from == to ? Integer.toString(from) : from / 100 + "xx";
    }
}
