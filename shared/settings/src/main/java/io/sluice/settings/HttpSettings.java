package io.sluice.settings;

/** Where the analyzer answers health checks. */
public record HttpSettings(String bind, int port) {}
