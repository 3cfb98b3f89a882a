package dev.daybreak.booking;

import dev.daybreak.booking.OpeningOutcome.HadBefore;
import dev.daybreak.booking.OpeningOutcome.LimitReached;
import dev.daybreak.booking.OpeningOutcome.NotBooked;
import dev.daybreak.booking.OpeningOutcome.NotOpen;
import dev.daybreak.booking.OpeningOutcome.Reason;
import dev.daybreak.booking.OpeningOutcome.Refused;
import dev.daybreak.booking.OpeningOutcome.Taken;
import dev.daybreak.booking.OpeningOutcome.TooLate;
import dev.daybreak.booking.OpeningOutcome.TooOften;
import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
import dev.daybreak.platform.security.Actor;
import dev.daybreak.platform.web.Input;
import dev.daybreak.schedule.ClinicSettings;
import dev.daybreak.schedule.Doctors;
import dev.daybreak.schedule.Openings;
import dev.daybreak.schedule.Openings.Opening;
import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** The times of flexible doctors over HTTP. */
final class OpeningHandler {

    private static final int MOST_DAYS = 42;

    private final BookingDesk desk;
    private final Booking booking;
    private final Doctors doctors;
    private final Openings openings;
    private final ClinicSettings clinic;
    private final Clock clock;

    OpeningHandler(
            BookingDesk desk, Booking booking, Doctors doctors, Openings openings, ClinicSettings clinic, Clock clock) {
        this.desk = desk;
        this.booking = booking;
        this.doctors = doctors;
        this.openings = openings;
        this.clinic = clinic;
        this.clock = clock;
    }

    Mono<ServerResponse> list(ServerRequest request) {
        Input input = Input.pathAndQuery(request);
        long doctorId = input.id("id");
        LocalDate date = input.date("date");
        int minutes = Minutes.read(input);
        ZoneId zone = input.zone("zone", clinic.zone());
        input.complete();
        Instant from = date.atStartOfDay(zone).toInstant();
        Instant to = date.plusDays(1).atStartOfDay(zone).toInstant();
        return openings.between(doctorId, from, to, minutes)
                .flatMap(found -> free(doctorId, found))
                .flatMap(free -> doctors.requireKnown(doctorId, free))
                .flatMap(free -> ServerResponse.ok().bodyValue(free));
    }

    Mono<ServerResponse> days(ServerRequest request) {
        Input input = Input.pathAndQuery(request);
        long doctorId = input.id("id");
        LocalDate first = input.date("from");
        LocalDate last = input.date("to");
        int minutes = Minutes.read(input);
        if (input.isSound("from", "to")) {
            input.check(!last.isBefore(first), "to", "date-order", first);
            input.check(ChronoUnit.DAYS.between(first, last) < MOST_DAYS, "to", "period", MOST_DAYS);
        }
        input.complete();
        Instant from = first.atStartOfDay(clinic.zone()).toInstant();
        Instant to = last.plusDays(1).atStartOfDay(clinic.zone()).toInstant();
        return openings.between(doctorId, from, to, minutes)
                .flatMap(found -> free(doctorId, found))
                .flatMap(free -> doctors.requireKnown(doctorId, free))
                .flatMap(free -> ServerResponse.ok().bodyValue(OpeningDayView.of(free, clinic)));
    }

    private Mono<List<OpeningView>> free(long doctorId, List<Opening> found) {
        Instant now = clock.instant();
        List<Opening> ahead = found.stream()
                .filter(opening -> opening.time().startAt().isAfter(now))
                .toList();
        if (ahead.isEmpty()) {
            return Mono.just(List.of());
        }
        Instant from = ahead.getFirst().time().startAt();
        Instant to = ahead.getLast().time().endAt();
        return booking.busy(doctorId, from, to)
                .map(busy -> ahead.stream()
                        .filter(opening -> busy.stream().noneMatch(taken -> taken.overlaps(opening.time())))
                        .map(opening -> OpeningView.of(opening, now))
                        .toList());
    }

    /** Answers a booking of a time, which the input describes. */
    Mono<ServerResponse> book(Input input, IdempotencyKey key) {
        long doctorId = input.id("doctorId");
        Instant startAt = Minutes.start(input);
        int minutes = Minutes.read(input);
        long patientId = input.id("patientId");
        input.complete();
        return desk.bookOpening(new OpeningRequest(doctorId, startAt, minutes, patientId, key))
                .flatMap(outcome -> answer(outcome, doctorId, startAt));
    }

    Mono<ServerResponse> move(ServerRequest request) {
        Input path = Input.path(request);
        long id = path.id("id");
        path.complete();
        return Input.body(request).flatMap(input -> {
            Instant startAt = Minutes.start(input);
            int minutes = Minutes.read(input);
            input.complete();
            return booking.moveOpening(id, startAt, minutes, Appointment.by(Actor.of(request)))
                    .flatMap(outcome -> answer(outcome, null, startAt));
        });
    }

    private static Mono<ServerResponse> answer(OpeningOutcome outcome, @Nullable Long doctorId, Instant startAt) {
        return switch (outcome) {
            case Taken taken ->
                ServerResponse.created(URI.create(
                                "/api/appointments/" + taken.appointment().id()))
                        .bodyValue(AppointmentView.of(taken.appointment()));
            case HadBefore had -> ServerResponse.ok().bodyValue(AppointmentView.of(had.appointment()));
            case TooOften often ->
                Mono.error(new Refusal(Problem.of(ProblemCode.RATE_LIMITED).retryAfter(often.retryAfter())));
            case NotOpen early ->
                Mono.error(new Refusal(
                        about(ProblemCode.SLOT_NOT_OPEN, doctorId, startAt).with("opensAt", early.opensAt())));
            case LimitReached reached ->
                Mono.error(new Refusal(Problem.of(ProblemCode.BOOKING_LIMIT).with("limit", reached.limit())));
            case TooLate late ->
                Mono.error(new Refusal(Problem.of(ProblemCode.TOO_LATE).with("until", late.until())));
            case NotBooked ended ->
                Mono.error(new Refusal(
                        Problem.of(ProblemCode.APPOINTMENT_NOT_BOOKED).with("appointmentStatus", ended.status())));
            case Refused refused -> Mono.error(new Refusal(about(code(refused.reason()), doctorId, startAt)));
        };
    }

    private static ProblemCode code(Reason reason) {
        return switch (reason) {
            case KEY_REUSED -> ProblemCode.IDEMPOTENCY_KEY_REUSED;
            case OPENING_NOT_FOUND, NOT_FLEXIBLE -> ProblemCode.OPENING_NOT_FOUND;
            case OPENING_TAKEN -> ProblemCode.OPENING_TAKEN;
            case ALREADY_BOOKED -> ProblemCode.ALREADY_BOOKED;
            case PATIENT_OVERLAP -> ProblemCode.PATIENT_OVERLAP;
            case SLOT_PAST -> ProblemCode.SLOT_PAST;
            case SLOT_CLOSED -> ProblemCode.SLOT_CLOSED;
            case NOT_FOUND -> ProblemCode.APPOINTMENT_NOT_FOUND;
        };
    }

    // Nothing is told of what somebody else has booked under the key.
    private static Problem about(ProblemCode code, @Nullable Long doctorId, Instant startAt) {
        if (doctorId == null || code == ProblemCode.IDEMPOTENCY_KEY_REUSED) {
            return Problem.of(code);
        }
        return Problem.of(code).with("doctorId", doctorId).with("startAt", startAt);
    }

    /** Reads lengths and starts. */
    private static final class Minutes {

        private static final int STEP = 15;
        private static final int LONGEST = 45;

        static int read(Input input) {
            int minutes = input.integer("minutes", STEP, LONGEST);
            input.check(!input.isSound("minutes") || minutes % STEP == 0, "minutes", "multiple", STEP);
            return minutes;
        }

        static Instant start(Input input) {
            Instant start = input.instant("startAt");
            boolean onGrid = start.getNano() == 0 && Math.floorMod(start.getEpochSecond(), Openings.GRID_SECONDS) == 0;
            input.check(!input.isSound("startAt") || onGrid, "startAt", "quarter-hour");
            return start;
        }
    }
}
