package dev.daybreak.admin;

import static dev.daybreak.platform.security.Access.admin;
import static dev.daybreak.platform.web.ApiDoc.doc;
import static dev.daybreak.platform.web.ApiRoutes.route;

import dev.daybreak.platform.data.UnhurriedDatabase;
import dev.daybreak.platform.trail.AuditEntry;
import dev.daybreak.platform.trail.AuditTrail;
import dev.daybreak.platform.web.ApiRoutes;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.web.reactive.function.server.ServerResponse;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(AuditSettings.class)
class AdminConfiguration {

    @Bean
    InvariantAudit invariantAudit(
            DatabaseClient database, UnhurriedDatabase unhurried, Clock clock, MeterRegistry meters) {
        return new InvariantAudit(database, unhurried.client(), clock, meters);
    }

    @Bean
    RegularAudit auditOfLatest(InvariantAudit audit, AuditSettings settings) {
        return RegularAudit.ofLatest(audit, settings);
    }

    @Bean
    RegularAudit auditOfAllRows(InvariantAudit audit, AuditSettings settings) {
        return RegularAudit.ofAllRows(audit, settings);
    }

    @Bean
    ApiRoutes adminRoutes(InvariantAudit audit, AuditTrail trail, ListableBeanFactory beans) {
        var trailHandler = new AuditTrailHandler(trail);
        var settings = new SettingsInForce(beans);
        return route().GET(
                        "/api/admin/invariants",
                        admin(),
                        request -> audit.run()
                                .map(InvariantReport::of)
                                .flatMap(report -> ServerResponse.ok().bodyValue(report)),
                        doc("auditInvariants", "Count what breaks an invariant, now")
                                .tag("Administration")
                                .answers(200, "Counted", InvariantReport.class, InvariantReport.EXAMPLE))
                .GET(
                        "/api/admin/audit",
                        admin(),
                        trailHandler::list,
                        doc("listAuditEntries", "Who changed what, when and why")
                                .tag("Administration")
                                .description(
                                        "The newest first. For the next page, pass the id of the last entry of this one as before.")
                                .optionalQuery("actor", String.class, "Only what they did", "reception")
                                .optionalQuery(
                                        "subject",
                                        String.class,
                                        "Only what was done to this, or to this kind",
                                        "slot:1001")
                                .optionalQuery("from", Instant.class, "Only from then on", "2026-10-01T00:00:00+02:00")
                                .optionalQuery("to", Instant.class, "Only before then", "2026-11-01T00:00:00+01:00")
                                .optionalQuery("before", Long.class, "Only entries with a smaller id", null)
                                .optionalQuery(
                                        "limit", Integer.class, "How many at most, 1 to 200; 100 if not given", "100")
                                .answersList(
                                        200, "The entries", AuditEntry.class, "[" + AuditTrailHandler.EXAMPLE + "]"))
                .GET(
                        "/api/admin/settings",
                        admin(),
                        request -> ServerResponse.ok().bodyValue(settings.all()),
                        doc("showSettings", "The settings in force")
                                .tag("Administration")
                                .description(
                                        "By property, defaults included. Of a secret it is told only that it is set.")
                                .withoutDatabase()
                                .answers(200, "The settings", Map.class, SettingsInForce.EXAMPLE));
    }
}
