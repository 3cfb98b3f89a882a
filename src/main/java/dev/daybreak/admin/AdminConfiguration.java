package dev.daybreak.admin;

import static dev.daybreak.platform.security.Access.admin;
import static dev.daybreak.platform.web.ApiDoc.doc;
import static dev.daybreak.platform.web.ApiRoutes.route;

import dev.daybreak.platform.web.ApiRoutes;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.web.reactive.function.server.ServerResponse;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(AuditSettings.class)
class AdminConfiguration {

    @Bean
    InvariantAudit invariantAudit(DatabaseClient database, MeterRegistry meters) {
        return new InvariantAudit(database, meters);
    }

    @Bean
    RegularAudit regularAudit(InvariantAudit audit, AuditSettings settings) {
        return new RegularAudit(audit, settings);
    }

    @Bean
    ApiRoutes adminRoutes(InvariantAudit audit) {
        return route().GET(
                        "/api/admin/invariants",
                        admin(),
                        request -> audit.run()
                                .map(InvariantReport::of)
                                .flatMap(report -> ServerResponse.ok().bodyValue(report)),
                        doc("auditInvariants", "Count what breaks an invariant, now")
                                .tag("Administration")
                                .answers(200, "Counted", InvariantReport.class, InvariantReport.EXAMPLE));
    }
}
