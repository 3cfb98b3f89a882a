package dev.daybreak.platform.web;

import dev.daybreak.platform.DemoService;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.webtestclient.autoconfigure.AutoConfigureWebTestClient;
import org.springframework.test.context.TestConstructor;

/** Runs the demo service on a port of its own, one for all tests so annotated. */
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(
        classes = DemoService.class,
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "server.address=127.0.0.1",
            "management.endpoint.health.validate-group-membership=false",
            "spring.flyway.enabled=false"
        })
@AutoConfigureWebTestClient
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
@interface DemoServiceTest {}
