FROM eclipse-temurin:17-jdk-jammy AS build
WORKDIR /src
COPY . .
RUN ./mvnw -B -ntp -Dmaven.test.skip=true -pl analyzer/cli -am package

# A glibc base, not Alpine: RocksDB's native library is linked against glibc and libstdc++.
FROM eclipse-temurin:17-jre-jammy
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
