package io.sluice.analyzer.cli;

import picocli.CommandLine.IVersionProvider;

/** The version of the artifact that this class came in; classes outside a jar have none. */
final class SluiceVersion implements IVersionProvider {

    @Override
    public String[] getVersion() {
        String version = SluiceVersion.class.getPackage().getImplementationVersion();
        return new String[] {"sluice " + (version == null ? "(development build)" : version)};
    }
}
