package dev.daybreak.booking.life;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import dev.daybreak.MutableClock;
import dev.daybreak.booking.life.Ledger.Slot;
import dev.daybreak.booking.life.Ledger.Visit;
import dev.daybreak.booking.life.Step.Book;
import dev.daybreak.booking.life.Step.Cancel;
import dev.daybreak.booking.life.Step.Close;
import dev.daybreak.booking.life.Step.Confirm;
import dev.daybreak.booking.life.Step.Extend;
import dev.daybreak.booking.life.Step.Hold;
import dev.daybreak.booking.life.Step.Move;
import dev.daybreak.booking.life.Step.OnVisit;
import dev.daybreak.booking.life.Step.Release;
import dev.daybreak.booking.life.Step.Resize;
import dev.daybreak.booking.life.Step.Steal;
import dev.daybreak.booking.life.Step.Wait;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tuple;
import net.jqwik.api.Tuple.Tuple2;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.AfterTry;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.test.context.TestContextManager;

/**
 * Random lives of a few patients' appointments in a few small slots that partly overlap, told to the service and to a ledger,
 * step by step. Both must say the same every time, and agree in the end. A failing life is shrunk, printed as its steps, and
 * tried first the next time.
 */
class LifeProperties {

    private static final int PATIENTS = 4;
    private static final int SLOTS = 6;

    private static ApplicationContext service;
    private static MutableClock clock;
    private static Clinic clinic;

    @DaybreakTest
    static class Service {}

    @BeforeContainer
    static void theService() {
        service = new TestContextManager(Service.class).getTestContext().getApplicationContext();
        clock = service.getBean(MutableClock.class);
        clinic = Clinic.at(service);
    }

    @AfterContainer
    static void nothingIsBroken() {
        assertThat(clinic.brokenInvariants()).isEmpty();
    }

    @AfterTry
    void letTheClockGo() {
        clock.reset();
    }

    @Property(tries = 250, shrinking = ShrinkingMode.BOUNDED)
    void serviceAndLedgerTellTheSameLife(@ForAll("lives") List<Step> life) {
        Instant start = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        clock.set(start);
        var ledger = new Ledger(start);
        addSlots(ledger);
        List<Long> patients =
                IntStream.range(0, PATIENTS).mapToObj(i -> Clinic.newPatient()).toList();

        for (Step planned : life) {
            Step step = planned;
            if (planned instanceof OnVisit onVisit) {
                if (ledger.visits.isEmpty()) {
                    continue;
                }
                step = onVisit.on(onVisit.visit() % ledger.visits.size());
            }
            String key = key(step, ledger);
            Answer answer = told(step, ledger, patients, key);
            String said = (answer.status().value() + " " + answer.code()).strip();

            assertThat(ledger.answers(step, key, answer))
                    .as("%s: %s", step, answer)
                    .contains(said);
        }

        assertSame(ledger);
    }

    private static void addSlots(Ledger ledger) {
        long doctor = clinic.doctor();
        long colleague = clinic.doctor();
        add(ledger, doctor, 30, 1, 0);
        add(ledger, doctor, 45, 2, 0);
        add(ledger, doctor, 60, 1, 0);
        add(ledger, colleague, 40, 2, 0);
        add(ledger, colleague, 60, 3, 0);
        add(ledger, colleague, 300, 1, 12);
    }

    private static void add(Ledger ledger, long doctor, int inMinutes, int capacity, int opensInMinutes) {
        Instant start = ledger.now.plus(Duration.ofMinutes(inMinutes));
        Instant opens = ledger.now.plus(Duration.ofMinutes(opensInMinutes));
        Duration length = Duration.ofMinutes(15);
        long id = clinic.slot(doctor, start, length, capacity, opens);
        ledger.slots.add(new Slot(id, start, start.plus(length), opens, capacity));
    }

    private static String key(Step step, Ledger ledger) {
        if (step instanceof Book book && book.again()) {
            return latestKey(ledger, book.patient());
        }
        return step instanceof Hold hold && hold.again() ? latestKey(ledger, hold.patient()) : Clinic.newKey();
    }

    private static String latestKey(Ledger ledger, int patient) {
        return ledger.visits.reversed().stream()
                .filter(visit -> visit.patient == patient)
                .map(visit -> visit.key)
                .findFirst()
                .orElseGet(Clinic::newKey);
    }

    private static Answer told(Step step, Ledger ledger, List<Long> patients, String key) {
        return switch (step) {
            case Book book -> clinic.book(ledger.slots.get(book.slot()).id, patients.get(book.patient()), key);
            case Hold hold ->
                clinic.send(
                        HttpMethod.POST,
                        "/api/holds",
                        Map.of("Idempotency-Key", key),
                        Map.of("slotId", ledger.slots.get(hold.slot()).id, "patientId", patients.get(hold.patient())));
            case Confirm confirm -> hold(HttpMethod.POST, ledger.visits.get(confirm.visit()), "/confirm", null);
            case Extend extend -> hold(HttpMethod.PUT, ledger.visits.get(extend.visit()), "", null);
            case Release release -> hold(HttpMethod.DELETE, ledger.visits.get(release.visit()), "", null);
            case Steal steal -> hold(HttpMethod.POST, ledger.visits.get(steal.visit()), "/confirm", "stolen");
            case Move move -> clinic.move(ledger.visits.get(move.visit()).id, ledger.slots.get(move.slot()).id);
            case Cancel cancel -> clinic.cancel(ledger.visits.get(cancel.visit()).id);
            case Close close -> change(ledger.slots.get(close.slot()), Map.of("closed", close.closed()));
            case Resize resize -> change(ledger.slots.get(resize.slot()), Map.of("capacity", resize.capacity()));
            case Wait wait -> {
                clock.advance(wait.time());
                yield clinic.get("/api/doctors?limit=1");
            }
        };
    }

    private static Answer hold(HttpMethod method, Visit visit, String path, String token) {
        String sent = token != null ? token : visit.token != null ? visit.token : "none";
        return clinic.send(method, "/api/holds/" + visit.id + path, Map.of("Hold-Token", sent), null);
    }

    private static Answer change(Slot slot, Map<String, Object> body) {
        return clinic.send(HttpMethod.PATCH, "/api/admin/slots/" + slot.id, Map.of(), body);
    }

    private static void assertSame(Ledger ledger) {
        for (Slot slot : ledger.slots) {
            long unnoticed =
                    clinic.number("SELECT count(*) FROM appointment WHERE status = 'HELD' AND hold_expires_at <= '%s'"
                                    .formatted(ledger.now)
                            + " AND slot_id = " + slot.id);
            assertThat(slot.capacity - clinic.bookedCount(slot.id) + unnoticed).isEqualTo(ledger.free(slot));
            assertThat(clinic.bookedCount(slot.id)).isEqualTo(clinic.active(slot.id));
        }
        for (Visit visit : ledger.visits) {
            Map<String, Object> shown =
                    clinic.get("/api/appointments/" + visit.id).body();
            assertThat(shown)
                    .containsEntry("status", ledger.shown(visit))
                    .containsEntry("slotId", (int) visit.slot.id)
                    .containsEntry("startAt", visit.slot.start.toString());
            if (!ledger.isExpired(visit)) {
                assertThat(shown).containsEntry("revision", visit.revision);
                assertThat((List<?>) shown.get("history")).hasSize(visit.revision);
            }
            assertThat(clinic.number(
                            "SELECT count(*) - a.revision FROM appointment a JOIN outbox_event e ON e.aggregatetype = 'appointment' AND e.aggregateid = a.id::text"
                                    + " WHERE a.id = " + visit.id + " GROUP BY a.revision"))
                    .as("events and changes of %d", visit.id)
                    .isZero();
        }
    }

    @Provide
    Arbitrary<List<Step>> lives() {
        Arbitrary<Integer> patient = Arbitraries.integers().between(0, PATIENTS - 1);
        Arbitrary<Integer> slot = Arbitraries.integers().between(0, SLOTS - 1);
        Arbitrary<Integer> visit = Arbitraries.integers().between(0, 40);
        Arbitrary<Boolean> again = Arbitraries.frequency(Tuple.of(4, false), Tuple.of(1, true));
        var steps = new ArrayList<Tuple2<Integer, Arbitrary<Step>>>();
        steps.add(Tuple.of(8, Combinators.combine(patient, slot, again).as(Book::new)));
        steps.add(Tuple.of(8, Combinators.combine(visit, slot).as(Move::new)));
        steps.add(Tuple.of(3, visit.map(Cancel::new)));
        steps.add(Tuple.of(
                1, Combinators.combine(slot, Arbitraries.of(true, false)).as(Close::new)));
        steps.add(Tuple.of(
                2,
                Combinators.combine(slot, Arbitraries.integers().between(1, 3)).as(Resize::new)));
        steps.add(Tuple.of(
                2, Arbitraries.integers().between(1, 7).map(minutes -> new Wait(Duration.ofMinutes(minutes)))));
        steps.add(Tuple.of(8, Combinators.combine(patient, slot, again).as(Hold::new)));
        steps.add(Tuple.of(4, visit.map(Confirm::new)));
        steps.add(Tuple.of(3, visit.map(Extend::new)));
        steps.add(Tuple.of(2, visit.map(Release::new)));
        steps.add(Tuple.of(1, visit.map(Steal::new)));
        return Arbitraries.frequencyOf(steps).list().ofMinSize(5).ofMaxSize(40);
    }
}
