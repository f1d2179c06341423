# Bases by digest in place of tags, which can be moved: docker build --build-arg JRE=eclipse-temurin:17-jre-jammy@sha256:… (docs/security.md).
ARG JDK=eclipse-temurin:17-jdk-jammy
ARG JRE=eclipse-temurin:17-jre-jammy

FROM ${JDK} AS build
WORKDIR /src
COPY . .
RUN ./mvnw -B -ntp -Dmaven.test.skip=true -pl analyzer/cli -am package
# The embedded broker, which serves one machine, is of no use in a container.
RUN cd analyzer/cli/target/lib && rm kafka_2.13-* kafka-group-coordinator-* kafka-transaction-coordinator-* \
    kafka-share-coordinator-* kafka-coordinator-common-* kafka-storage-* kafka-tools-api-* kafka-metadata-* kafka-raft-* \
    kafka-server-* scala-* caffeine-* argparse4j-* jackson-dataformat-* jackson-datatype-jdk8-* snakeyaml-2* \
    jopt-simple-* metrics-core-* re2j-* commons-validator-* commons-beanutils-* commons-digester-* commons-logging-* \
    commons-collections-* log4j-* pcollections-*

# A glibc base, not Alpine: RocksDB's native library is linked against glibc and libstdc++.
FROM ${JRE}
WORKDIR /opt/sluice
COPY --from=build /src/sluice ./
COPY --from=build /src/analyzer/cli/target/lib analyzer/cli/target/lib
COPY --from=build /src/analyzer/cli/target/sluice.jar analyzer/cli/target/
# Jars of one's own, such as a log format, go to /opt/sluice/ext: mounted, or copied by an image made from this one.
# The default folders are relative (./data): they end up in the volume.
RUN useradd --system --uid 10001 --no-create-home sluice \
    && mkdir /data && chown sluice /data && ln -s /data data
# A number, so that a cluster can see that it is not root.
USER 10001
VOLUME /data
# The launcher becomes the Java process, so that a stop signal reaches it; without sources beside it, it builds nothing.
ENTRYPOINT ["./sluice"]
CMD ["analyzer"]
