package dev.daybreak.booking;

import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
import dev.daybreak.platform.web.Input;
import dev.daybreak.schedule.Doctors;
import java.nio.charset.StandardCharsets;
import org.springframework.http.ContentDisposition;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** Hands out appointments as calendar files. */
final class CalendarHandler {

    static final MediaType CALENDAR = new MediaType("text", "calendar", StandardCharsets.UTF_8);

    private final Booking booking;
    private final Doctors doctors;
    private final CalendarFile files;

    CalendarHandler(Booking booking, Doctors doctors, CalendarFile files) {
        this.booking = booking;
        this.doctors = doctors;
        this.files = files;
    }

    Mono<ServerResponse> find(ServerRequest request) {
        Input path = Input.path(request);
        long id = path.id("id");
        path.complete();
        return booking.find(id)
                .switchIfEmpty(Mono.error(() -> new Refusal(ProblemCode.APPOINTMENT_NOT_FOUND)))
                .flatMap(this::file)
                .flatMap(file -> answer(id, file));
    }

    private Mono<byte[]> file(Appointment appointment) {
        return switch (appointment.status()) {
            case BOOKED, CANCELLED ->
                doctors.find(appointment.doctorId()).flatMap(doctor -> files.of(appointment, doctor));
            case HELD, EXPIRED -> Mono.error(new Refusal(MoveHandler.notBooked(appointment.status())));
        };
    }

    private static Mono<ServerResponse> answer(long id, byte[] file) {
        var disposition = ContentDisposition.attachment()
                .filename("appointment-" + id + ".ics")
                .build();
        return ServerResponse.ok()
                .contentType(CALENDAR)
                .headers(headers -> headers.setContentDisposition(disposition))
                .bodyValue(file);
    }
}
