package dev.daybreak;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_USE_FIELD_INJECTION;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.reactivestreams.Publisher;
import org.springframework.context.Lifecycle;
import org.springframework.modulith.core.ApplicationModules;
import reactor.core.Disposable;

/** The shape of the main sources. */
class ArchitectureTest {

    private static final JavaClasses MAIN = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.daybreak");

    private static final DescribedPredicate<JavaClass> OWN_WHAT_THEY_SUBSCRIBE_TO =
            new DescribedPredicate<>("are lifecycle beans, disposables or the batcher") {
                @Override
                public boolean test(JavaClass type) {
                    JavaClass outermost = type;
                    while (outermost.getEnclosingClass().isPresent()) {
                        outermost = outermost.getEnclosingClass().get();
                    }
                    return outermost.isAssignableTo(Lifecycle.class)
                            || outermost.isAssignableTo(Disposable.class)
                            || outermost.getName().equals("dev.daybreak.platform.batch.Lane");
                }
            };

    @Test
    void hasModulesWithoutCyclesThatUseOnlyWhatTheOthersOffer() {
        ApplicationModules modules = ApplicationModules.of(Daybreak.class);

        assertThat(modules.stream().map(module -> module.getIdentifier().toString()))
                .contains(
                        "booking",
                        "schedule",
                        "room",
                        "availability",
                        "admission",
                        "admin",
                        "embedded",
                        "platform.web");
        modules.verify();
    }

    @Test
    void hasAPlatformThatKnowsNoFeature() {
        check(noClasses()
                .that()
                .resideInAPackage("dev.daybreak.platform..")
                .should()
                .dependOnClassesThat(resideInAPackage("dev.daybreak..")
                        .and(DescribedPredicate.not(resideInAPackage("dev.daybreak.platform..")))));
    }

    @Test
    void keepsBookingFreeOfThoseWhoListenToIt() {
        check(noClasses()
                .that()
                .resideInAPackage("dev.daybreak.booking..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.daybreak.availability..",
                        "dev.daybreak.admission..",
                        "dev.daybreak.admin..",
                        "dev.daybreak.outbox..",
                        "dev.daybreak.notification.."));
    }

    @Test
    void neverWaitsForAPublisher() {
        check(noClasses()
                .should()
                .callMethodWhere(target(nameMatching("block(First|Last|Optional)?|toIterable|toStream"))
                        .and(target(owner(assignableTo(Publisher.class)))))
                .because("it would stop an event loop, and every request on it"));
    }

    @Test
    void waitsForNothingOnceItHasStarted() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage("dev.daybreak.embedded..") // waits for processes
                .and()
                .areNotAssignableTo(Lifecycle.class) // whose start may keep the main thread waiting
                .should()
                .callMethodWhere(
                        target(nameMatching("get|join|resultNow")).and(target(owner(assignableTo(Future.class)))))
                .because("it would stop an event loop, and every request on it"));
    }

    @Test
    void subscribesOnlyWhereTheSubscriptionIsEnded() {
        check(noClasses()
                .that(DescribedPredicate.not(OWN_WHAT_THEY_SUBSCRIBE_TO))
                .should()
                .callMethodWhere(target(name("subscribe")).and(target(owner(assignableTo(Publisher.class)))))
                .because("nobody would see its failure or stop it"));
        check(noClasses()
                .that(DescribedPredicate.not(OWN_WHAT_THEY_SUBSCRIBE_TO))
                .and()
                .haveNameNotMatching(
                        // Each bounded in time, and with its failures handled or shared with those who wait.
                        "dev\\.daybreak\\.(platform\\.sql\\.Detached|availability\\.DayCache|availability\\.DayCopies)")
                .should()
                .callMethodWhere(target(name("toFuture")).and(target(owner(assignableTo(Publisher.class)))))
                .because("it is a subscription too"));
    }

    @Test
    void asksOnlyTheClockForTheTime() {
        check(noClasses()
                .that()
                .resideOutsideOfPackages("dev.daybreak.platform.time..", "dev.daybreak.embedded..")
                .should()
                .callMethodWhere(target(name("now")).and(target(owner(resideInAPackage("java.time..")))))
                .because("tests set the clock"));
    }

    @Test
    void injectsByConstructorAndLogsByLogger() {
        check(NO_CLASSES_SHOULD_USE_FIELD_INJECTION);
        check(noClasses()
                .that()
                .doNotHaveFullyQualifiedName("dev.daybreak.admin.login.LoginConfiguration") // shows a password, once
                .should(ACCESS_STANDARD_STREAMS));
        check(NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING);
    }

    /** What a feature offers: its entry types, values, outcomes and events. Whoever must raise a number thinks twice. */
    @ParameterizedTest
    @CsvSource({
        "booking, 14",
        "schedule, 12",
        "availability, 0",
        "admission, 0",
        "admin, 1",
        "embedded, 0",
        "outbox, 2",
        "notification, 0",
        "room, 10"
    })
    void offersFewTypes(String feature, int most) {
        var offered = MAIN.stream()
                .filter(type -> type.getPackageName().equals("dev.daybreak." + feature))
                .filter(type -> type.isTopLevelClass() && type.getModifiers().contains(JavaModifier.PUBLIC))
                .map(JavaClass::getSimpleName)
                .sorted()
                .toList();

        assertThat(offered).hasSizeLessThanOrEqualTo(most);
    }

    @Test
    void saysInEveryPackageWhatItOwnsAndThatNothingIsNull() {
        Map<String, Boolean> marked = MAIN.stream()
                .collect(Collectors.toMap(
                        JavaClass::getPackageName,
                        type -> type.getPackage().isAnnotatedWith(NullMarked.class),
                        Boolean::logicalOr));

        assertThat(marked).isNotEmpty().doesNotContainValue(false);
    }

    private static void check(ArchRule rule) {
        rule.allowEmptyShould(true).check(MAIN);
    }
}
