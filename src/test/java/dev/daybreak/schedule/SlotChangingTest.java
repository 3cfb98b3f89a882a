package dev.daybreak.schedule;

import static dev.daybreak.schedule.ClinicJourney.schedule;
import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Clinic;
import dev.daybreak.DaybreakTest;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.PayloadApplicationEvent;

@DaybreakTest
class SlotChangingTest {

    @Autowired
    ConfigurableApplicationContext context;

    final Told told = new Told();

    ClinicJourney clinic;
    long doctor;
    long slot;

    @BeforeEach
    void aSlotOfFiveSeats() {
        context.addApplicationListener(told);
        clinic = ClinicJourney.at(context);
        doctor = clinic.addDoctor();
        clinic.publishes(doctor, schedule("2999-10-14/2999-10-14", "09:00-09:30", 30, "\"capacity\": 5"), 1, 0, 0);
        slot = clinic.slots(doctor).getFirst().id();
        clinic.takeSeats(slot, 3);
    }

    @AfterEach
    void stopListening() {
        context.removeApplicationListener(told);
    }

    @Test
    void moreSeatsAreFreeAtOnce() {
        clinic.changeSlot(slot, """
                        {"capacity": 8}""").expectStatus().isOk().expectBody().json("""
                        {"id": %d, "doctorId": %d, "startAt": "2999-10-14T07:00:00Z", "endAt": "2999-10-14T07:30:00Z",
                         "capacity": 8, "remaining": 5, "opensAt": "2999-09-30T05:00:00Z", "state": "NOT_OPEN_YET",
                         "version": 2}""".formatted(slot, doctor));

        assertThat(now().remaining()).isEqualTo(5);
        assertThat(told.events).containsExactly(new SlotChanged(now(), true));
    }

    @Test
    void asManySeatsAsAreBookedMayRemain() {
        clinic.changeSlot(slot, """
                        {"capacity": 3}""").expectStatus().isOk();

        assertThat(now().remaining()).isZero();
    }

    @Test
    void seatsThatAreBookedCannotBeTakenAway() {
        clinic.changeSlot(slot, """
                        {"capacity": 2, "closed": true}""")
                .expectStatus()
                .isEqualTo(409)
                .expectBody()
                .jsonPath("$.code")
                .isEqualTo("CAPACITY_BELOW_BOOKED")
                .jsonPath("$.booked")
                .isEqualTo(3);

        assertThat(now().capacity()).isEqualTo(5);
        assertThat(now().closed()).isFalse();
        assertThat(now().version()).isEqualTo(1);
        assertThat(told.events).isEmpty();
    }

    @Test
    void aSlotIsClosedAndReopened() {
        clinic.changeSlot(slot, """
                        {"closed": true}""")
                .expectStatus()
                .isOk()
                .expectBody()
                .jsonPath("$.state")
                .isEqualTo("CLOSED")
                .jsonPath("$.capacity")
                .isEqualTo(5);
        clinic.changeSlot(slot, """
                        {"closed": false}""").expectStatus().isOk();

        assertThat(now().closed()).isFalse();
        assertThat(now().version()).isEqualTo(3);
    }

    @Test
    void aClosedSlotKeepsItsAppointmentsAndHolds() {
        Clinic patients = Clinic.at(context);
        patients.execute("UPDATE appointment SET status = 'HELD', hold_expires_at = '2999-10-14T06:59:59Z' WHERE id ="
                + " (SELECT min(id) FROM appointment WHERE slot_id = " + slot + ")");

        clinic.changeSlot(slot, """
                        {"closed": true}""").expectStatus().isOk();

        assertThat(patients.active(slot)).isEqualTo(3);
        assertThat(now().bookedCount()).isEqualTo(3);
        assertThat(patients.book(slot, Clinic.newPatient(), Clinic.newKey()).code())
                .isEqualTo("SLOT_CLOSED");
    }

    @Test
    void anUnknownSlotIsNotFound() {
        clinic.changeSlot(987654321, """
                        {"capacity": 2}""")
                .expectStatus()
                .isNotFound()
                .expectBody()
                .jsonPath("$.code")
                .isEqualTo("SLOT_NOT_FOUND");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}
            {"capacity": 0}
            {"capacity": 10001}
            {"capacity": "3"}
            {"closed": "yes"}
            {"closed": null}
            {"capacity": 3, "seats": 4}
            """)
    void aChangeSaysWhatToChange(String change) {
        clinic.changeSlot(slot, change)
                .expectStatus()
                .isBadRequest()
                .expectBody()
                .jsonPath("$.violations.length()")
                .isEqualTo(1);
    }

    private Slot now() {
        return clinic.slots(doctor).getFirst();
    }

    private static final class Told implements ApplicationListener<PayloadApplicationEvent<SlotChanged>> {

        final List<SlotChanged> events = new CopyOnWriteArrayList<>();

        @Override
        public void onApplicationEvent(PayloadApplicationEvent<SlotChanged> event) {
            events.add(event.getPayload());
        }
    }
}
