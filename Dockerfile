# syntax=docker/dockerfile:1

FROM maven:3.9.11-eclipse-temurin-25 AS build
WORKDIR /build
COPY pom.xml ./
COPY .mvn .mvn
RUN --mount=type=cache,target=/m2 mvn -B -Dmaven.repo.local=/m2 dependency:go-offline
COPY src src
RUN --mount=type=cache,target=/m2 mvn -B -Dmaven.repo.local=/m2 package -DskipTests -Dspotless.check.skip=true \
    && java -Djarmode=tools -jar target/daybreak.jar extract --layers --destination layers
# A container is given its servers; the embedded ones would be 100 MB of dead weight.
RUN rm -f layers/dependencies/lib/embedded-postgres-*.jar layers/dependencies/lib/embedded-redis-*.jar

FROM eclipse-temurin:25.0.3_9-jre AS base
RUN useradd --system --uid 10001 --no-create-home daybreak
WORKDIR /app
# Inside a container loopback would be nobody's address. Below 1,792 MB the JVM would take a collector that stops everything for long.
ENV SERVER_ADDRESS=0.0.0.0 \
    SERVER_PORT=8080 \
    JAVA_TOOL_OPTIONS="-XX:+UseG1GC -XX:MaxRAMPercentage=70 -XX:+ExitOnOutOfMemoryError --enable-native-access=ALL-UNNAMED"

FROM base AS application
COPY --from=build /build/layers/dependencies/ ./
COPY --from=build /build/layers/spring-boot-loader/ ./
COPY --from=build /build/layers/snapshot-dependencies/ ./
COPY --from=build /build/layers/application/ ./

# What the JVM learns in a start and a warm-up: a start in a third of the time. Wants the very JVM, files and options of the image.
FROM application AS training
COPY --from=build /build/target/daybreak.jar /training/
COPY deploy/train-aot /training/
RUN chown 10001 /app
USER 10001
RUN /training/train-aot /training/daybreak.jar /app

FROM application
COPY --from=training /app/daybreak.aot ./
USER 10001
EXPOSE 8080
# Ready, which comes after the warm-up.
HEALTHCHECK --interval=5s --timeout=3s --start-period=90s --retries=5 \
    CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/${SERVER_PORT} && printf 'GET /readyz HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n' >&3 && head -n 1 <&3 | grep -q ' 200'"]
ENTRYPOINT ["java", "-XX:AOTCache=daybreak.aot", "-jar", "daybreak.jar"]
