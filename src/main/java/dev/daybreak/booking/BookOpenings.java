package dev.daybreak.booking;

import dev.daybreak.booking.OpeningOutcome.HadBefore;
import dev.daybreak.booking.OpeningOutcome.LimitReached;
import dev.daybreak.booking.OpeningOutcome.NotBooked;
import dev.daybreak.booking.OpeningOutcome.NotOpen;
import dev.daybreak.booking.OpeningOutcome.Reason;
import dev.daybreak.booking.OpeningOutcome.Refused;
import dev.daybreak.booking.OpeningOutcome.Taken;
import dev.daybreak.booking.OpeningOutcome.TooLate;
import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
import dev.daybreak.platform.sql.Detached;
import dev.daybreak.platform.sql.SqlStates;
import dev.daybreak.schedule.Openings;
import dev.daybreak.schedule.Openings.Opening;
import dev.daybreak.schedule.Openings.Time;
import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.Parameter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * Books times of flexible doctors by the function {@code book_openings}, and moves them by {@code move_opening}: one statement,
 * one transaction. Whether the doctor works then is decided here, from the schedules; the function makes sure that
 * they have not changed since.
 */
final class BookOpenings {

    private static final String BOOK = """
            SELECT outcome, appointment_id FROM book_openings($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ORDER BY ord
            """;

    private static final String MOVE = """
            SELECT move_opening(:id, :start, :end, :opens, :schedule, :revision, :actor, :movableFrom, :now, :seen)
            """;

    private static final String STALE = "STALE";

    private final DatabaseClient database;
    private final Appointments appointments;
    private final Openings openings;
    private final Clock clock;
    private final BookingSettings settings;

    BookOpenings(
            DatabaseClient database,
            Appointments appointments,
            Openings openings,
            Clock clock,
            BookingSettings settings) {
        this.settings = settings;
        this.database = database;
        this.appointments = appointments;
        this.openings = openings;
        this.clock = clock;
    }

    private record Answer(
            OpeningRequest request,
            @Nullable Opening opening,
            String verdict,
            @Nullable Long id,
            Instant now) {}

    /** Emits one outcome a request, in their order. May be repeated: what was booked is then found by its key. */
    Mono<List<OpeningOutcome>> book(List<OpeningRequest> requests) {
        return openings.find(requests.stream().map(BookOpenings::time).toList())
                .flatMap(found -> decide(requests, found))
                .flatMap(this::outcomes);
    }

    private static Time time(OpeningRequest request) {
        return Time.of(request.doctorId(), request.startAt(), request.minutes());
    }

    private Mono<List<Answer>> decide(List<OpeningRequest> requests, List<@Nullable Opening> found) {
        Instant now = clock.instant();
        return database.sql(BOOK)
                .bind(0, numbers(requests, OpeningRequest::doctorId))
                .bind(1, numbers(requests, request -> request.startAt().getEpochSecond()))
                .bind(2, numbers(requests, request -> time(request).endAt().getEpochSecond()))
                .bind(3, found.stream().map(BookOpenings::opens).toArray(Long[]::new))
                .bind(4, found.stream().map(BookOpenings::schedule).toArray(Long[]::new))
                .bind(5, found.stream().map(BookOpenings::revision).toArray(Integer[]::new))
                .bind(6, numbers(requests, OpeningRequest::patientId))
                .bind(7, requests.stream().map(request -> request.key().value()).toArray(String[]::new))
                .bind(8, settings.maxActive())
                .bind(9, now)
                .map(BookOpenings::verdict)
                .all()
                .collectList()
                .map(verdicts -> IntStream.range(0, requests.size())
                        .mapToObj(i -> new Answer(
                                requests.get(i),
                                found.get(i),
                                verdicts.get(i).verdict(),
                                verdicts.get(i).id(),
                                now))
                        .toList());
    }

    private record Verdict(String verdict, @Nullable Long id) {}

    private static Verdict verdict(Readable row) {
        return new Verdict(Objects.requireNonNull(row.get(0, String.class)), row.get(1, Long.class));
    }

    private static @Nullable Long opens(@Nullable Opening opening) {
        return opening == null ? null : opening.opensAt().getEpochSecond();
    }

    private static @Nullable Long schedule(@Nullable Opening opening) {
        return opening == null ? null : opening.scheduleId();
    }

    private static @Nullable Integer revision(@Nullable Opening opening) {
        return opening == null ? null : opening.revision();
    }

    private static Long[] numbers(List<OpeningRequest> requests, ToLongFunction<OpeningRequest> number) {
        return requests.stream().mapToLong(number).boxed().toArray(Long[]::new);
    }

    private Mono<List<OpeningOutcome>> outcomes(List<Answer> answers) {
        List<Long> replayed = answers.stream()
                .filter(answer -> answer.verdict().equals("REPLAYED"))
                .map(answer -> Objects.requireNonNull(answer.id()))
                .toList();
        return appointments
                .findAll(replayed)
                .flatMap(known -> Flux.fromIterable(answers)
                        .concatMap(answer -> outcome(answer, known))
                        .collectList());
    }

    // A schedule that changed in between is looked at again, for those alone who were told so.
    private Mono<OpeningOutcome> outcome(Answer answer, Map<Long, Appointment> known) {
        return answer.verdict().equals(STALE)
                ? book(List.of(answer.request())).map(List::getFirst)
                : Mono.just(decided(answer, known));
    }

    private OpeningOutcome decided(Answer answer, Map<Long, Appointment> known) {
        return switch (answer.verdict()) {
            case "BOOKED" -> new Taken(booked(answer));
            case "REPLAYED" -> new HadBefore(Objects.requireNonNull(known.get(answer.id())));
            case "BOOKING_LIMIT" -> new LimitReached(settings.maxActive());
            default -> refused(answer.verdict(), answer.opening());
        };
    }

    private static OpeningOutcome refused(String verdict, @Nullable Opening opening) {
        return verdict.equals("SLOT_NOT_OPEN")
                ? new NotOpen(Objects.requireNonNull(opening).opensAt())
                : new Refused(Reason.valueOf(verdict));
    }

    private static Appointment booked(Answer answer) {
        OpeningRequest request = answer.request();
        return new Appointment(
                Objects.requireNonNull(answer.id()),
                null,
                request.doctorId(),
                request.patientId(),
                AppointmentStatus.BOOKED,
                request.startAt(),
                time(request).endAt(),
                1,
                answer.now(),
                null,
                false,
                List.of(),
                null,
                null,
                null,
                null);
    }

    /** Moves an appointment of a flexible doctor to another time of the same doctor; the old one is kept if that cannot be had. */
    Mono<OpeningOutcome> move(long appointmentId, Instant startAt, int minutes, String by) {
        Mono<OpeningOutcome> work =
                Mono.fromSupplier(Arrival::now).flatMap(arrival -> move(appointmentId, startAt, minutes, by, arrival));
        return Detached.run(work.retryWhen(Retry.backoff(3, Duration.ofMillis(10))
                .filter(SqlStates::isTransientConflict)
                .onRetryExhaustedThrow((retry, last) -> last.failure())));
    }

    private Mono<OpeningOutcome> move(long appointmentId, Instant startAt, int minutes, String by, Arrival arrival) {
        return appointments
                .find(appointmentId)
                .flatMap(appointment -> arrival.isRecent()
                        ? move(appointment, Time.of(appointment.doctorId(), startAt, minutes), by, arrival)
                        : Mono.error(new Refusal(Problem.of(ProblemCode.BUSY).retryAfter(Duration.ofSeconds(1)))))
                .switchIfEmpty(Mono.fromSupplier(() -> new Refused(Reason.NOT_FOUND)));
    }

    private Mono<OpeningOutcome> move(Appointment appointment, Time to, String by, Arrival arrival) {
        Instant now = clock.instant();
        return openings.find(List.of(to)).flatMap(found -> {
            Opening opening = found.getFirst();
            return database.sql(MOVE)
                    .bind("id", appointment.id())
                    .bind("start", to.startAt().getEpochSecond())
                    .bind("end", to.endAt().getEpochSecond())
                    .bind("opens", Parameter.fromOrEmpty(opens(opening), Long.class))
                    .bind("schedule", Parameter.fromOrEmpty(schedule(opening), Long.class))
                    .bind("revision", Parameter.fromOrEmpty(revision(opening), Integer.class))
                    .bind("actor", by)
                    .bind("movableFrom", Parameter.fromOrEmpty(movableFrom(now, by), Instant.class))
                    .bind("now", now)
                    .bind("seen", appointment.revision())
                    .mapValue(String.class)
                    .one()
                    .flatMap(verdict -> moved(verdict, opening, appointment, to, by, arrival));
        });
    }

    /** Only patients can be too late. */
    private @Nullable Instant movableFrom(Instant now, String by) {
        return settings.latestMove() == null || !by.equals(Appointment.PATIENT)
                ? null
                : now.plus(settings.latestMove());
    }

    private Mono<OpeningOutcome> moved(
            String verdict, @Nullable Opening opening, Appointment appointment, Time to, String by, Arrival arrival) {
        return switch (verdict) {
            case "MOVED", "UNCHANGED" -> appointments.find(appointment.id()).map(HadBefore::new);
            case STALE -> move(appointment, to, by, arrival);
            case "CHANGED" ->
                move(
                        appointment.id(),
                        to.startAt(),
                        (int) Duration.between(to.startAt(), to.endAt()).toMinutes(),
                        by,
                        arrival);
            case "NOT_BOOKED" -> appointments.find(appointment.id()).map(ended -> new NotBooked(ended.status()));
            case "TOO_LATE" ->
                appointments
                        .find(appointment.id())
                        .map(late -> new TooLate(Objects.requireNonNull(settings.latestMove(late.startAt()))));
            default -> Mono.just(refused(verdict, opening));
        };
    }
}
