package dev.daybreak.schedule;

import static dev.daybreak.platform.security.Access.doctorInPath;
import static dev.daybreak.platform.security.Access.doctorOfInPath;
import static dev.daybreak.platform.security.Access.everybody;
import static dev.daybreak.platform.security.Access.staff;
import static dev.daybreak.platform.web.ApiDoc.doc;

import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.security.Access;
import dev.daybreak.platform.web.ApiDoc;
import dev.daybreak.platform.web.ApiRoutes;
import dev.daybreak.schedule.AppointmentsInTheWay.InTheWay;
import dev.daybreak.schedule.PublishOutcome.Published;
import java.time.Instant;
import java.util.List;

/** What the clinic publishes, and who may be visited, over HTTP. */
final class ScheduleRoutes {

    private static final String DOCTOR = """
            {"id": 7, "name": "Dr. Haruka Mori", "specialty": "Paediatrics", "flexible": false}""";

    private static final ApiDoc SHOW_CLINIC = doc("getClinic", "The clinic's time zone, its opening rule and its clock")
            .tag("Doctors")
            .answers(200, "The clinic", ClinicHandler.View.class, ClinicHandler.View.EXAMPLE)
            .withoutDatabase();

    private static final ApiDoc LIST_SPECIALTIES = doc("listSpecialties", "List the specialties there are doctors of")
            .tag("Doctors")
            .answersList(200, "The specialties, by name", Specialty.class, """
                    [{"name": "Paediatrics", "doctors": 2}]""");

    private static final String FIGURES = """
            {"created": 240, "existing": 0, "skipped": 0}""";

    private static final String HOURS = """
            "fromDate": "2026-10-12", "toDate": "2026-10-25", "weekdays": ["MONDAY", "TUESDAY"],
            "startTime": "08:00", "endTime": "17:00", "slotMinutes": 20, "capacity": 1,
            "breaks": [{"startTime": "12:00", "endTime": "13:00"}], "mode": "FIXED\"""";

    private static final List<InTheWay> IN_THE_WAY = List.of(new InTheWay(
            5012, 1001L, Instant.parse("2026-12-28T08:00:00Z"), Instant.parse("2026-12-28T08:15:00Z"), 77, "BOOKED"));

    private static final ApiDoc LIST_DOCTORS = doc("listDoctors", "List the doctors")
            .tag("Doctors")
            .description("In order of name. For the next page, pass the id of the last doctor of this one as after.")
            .optionalQuery(
                    "specialty", String.class, "Only those of this specialty, upper or lower case", "Paediatrics")
            .optionalQuery("name", String.class, "Only those whose name contains this, upper or lower case", "mori")
            .optionalQuery("after", Long.class, "Only those that come after this doctor", null)
            .optionalQuery("limit", Integer.class, "How many at most, 1 to 200; 100 if not given", "100")
            .answersList(200, "The doctors", Doctor.class, "[" + DOCTOR + "]");

    private static final ApiDoc GET_DOCTOR = doc("getDoctor", "Show a doctor")
            .tag("Doctors")
            .path("id", Long.class, "The doctor", "7")
            .answers(200, "The doctor", Doctor.class, DOCTOR)
            .problems(ProblemCode.DOCTOR_NOT_FOUND);

    private static final ApiDoc ADD_DOCTOR = doc("addDoctor", "Add a doctor")
            .tag("Administration")
            .body(DoctorRequest.class, """
                    {"name": "Dr. Haruka Mori", "specialty": "Paediatrics"}""")
            .answers(201, "The doctor was added", Doctor.class, DOCTOR);

    private static final ApiDoc PUBLISH = doc("publishSchedule", "Publish working hours of a doctor as slots")
            .tag("Administration")
            .description("""
                    Times are local to the clinic; 24:00 is the end of a day. Without toDate the schedule stands until \
                    further notice and its slots are made day by day as booking comes near. Publishing again makes only \
                    what is missing. With mode FLEXIBLE there are no slots, and neither slotMinutes nor capacity: the \
                    hours are open for times of 15, 30 or 45 minutes at quarter hours. Where the clocks change, starts that do not exist are skipped and those that come \
                    twice are used twice.""")
            .path("id", Long.class, "The doctor", "7")
            .body(ScheduleRequest.class, "{" + HOURS + ", \"dryRun\": false}")
            .answers(201, "The slots were made", Published.class, FIGURES)
            .answers(200, "What would be made; dryRun was true, and nothing was written", Published.class, FIGURES)
            .problems(ProblemCode.DOCTOR_NOT_FOUND)
            .problem(Problem.of(ProblemCode.SCHEDULE_OVERLAP)
                    .with("scheduleId", 31)
                    .with("startTime", "09:00")
                    .with("endTime", "12:00"));

    private static final ApiDoc LIST_SCHEDULES = doc("listSchedules", "List the schedules of a doctor")
            .tag("Administration")
            .path("id", Long.class, "The doctor", "7")
            .answersList(200, "The schedules", ScheduleView.class, "[{\"id\": 31, \"doctorId\": 7, " + HOURS + "}]")
            .problems(ProblemCode.DOCTOR_NOT_FOUND);

    private static final ApiDoc CHANGE_SCHEDULE = ending(
                    "changeSchedule", "Give a schedule other days and hours, from now on")
            .body(ScheduleChangeRequest.class, """
                    {"toDate": "2026-10-25", "weekdays": ["MONDAY"], "startTime": "08:00", "endTime": "15:00",
                     "breaks": [{"startTime": "12:00", "endTime": "13:00"}], "dryRun": true}""")
            .problem(Problem.of(ProblemCode.SCHEDULE_OVERLAP)
                    .with("scheduleId", 31)
                    .with("startTime", "09:00")
                    .with("endTime", "12:00"));

    private static final ApiDoc END_SCHEDULE = ending("endSchedule", "End a schedule, now")
            .optionalQuery("force", Boolean.class, "Whether to cancel the appointments in the way", "false")
            .optionalQuery("reason", String.class, "Why, for the patients; at most 200 characters", "Moved away")
            .optionalQuery("dryRun", Boolean.class, "Whether to say only what would happen", "true");

    private static ApiDoc ending(String id, String summary) {
        return doc(id, summary)
                .tag("Administration")
                .description("""
                        Slots still to come that no schedule asks for any more are closed, and come back when they are \
                        published again. Appointments in them are named and nothing is done, unless force cancels them, \
                        for which a reason is needed. A dry run says what would happen.""")
                .path("id", Long.class, "The schedule", "31")
                .answers(200, "Done, or what would be", ScheduleChangeView.class, ScheduleChangeView.EXAMPLE)
                .problems(ProblemCode.SCHEDULE_NOT_FOUND)
                .problem(ClosureHandler.affected(ProblemCode.SCHEDULE_AFFECTS_APPOINTMENTS, IN_THE_WAY));
    }

    private static final ApiDoc CHANGE_SLOT = doc("changeSlot", "Change the capacity of a slot, close or reopen it")
            .tag("Administration")
            .description("At least one of the two fields. Added seats can be booked at once; a closed slot keeps its"
                    + " appointments, booked and held, and takes no more.")
            .path("id", Long.class, "The slot", "1001")
            .body(SlotChange.class, """
                    {"capacity": 12, "closed": false}""")
            .answers(200, "The slot as it is now", SlotView.class, SlotView.EXAMPLE)
            .problems(ProblemCode.SLOT_NOT_FOUND)
            .problem(SlotHandler.belowBooked(9))
            .problem(SlotHandler.inClosure(9));

    private static final String CLOSE_BODY = """
            {"from": "2026-12-24", "to": "2027-01-02", "reason": "Holidays", "force": false, "dryRun": false}""";

    private static final String CLOSED = """
            {"id": 9, "doctorId": 7, "from": "2026-12-24", "to": "2027-01-02", "reason": "Holidays", "closedSlots": 96,
             "cancelledAppointments": 0}""";

    private static final ApiDoc CLOSE_DOCTOR = closing(
                    "closeDoctor", "Close a time of a doctor", "Closed before; the figures are what has changed since")
            .path("id", Long.class, "The doctor", "7")
            .answers(201, "Closed", ClosureView.class, CLOSED)
            .problems(ProblemCode.DOCTOR_NOT_FOUND);

    private static final ApiDoc CLOSE_CLINIC = closing(
                    "closeClinic",
                    "Close a time of the whole clinic",
                    "Closed before; the figures are what has changed since")
            .answers(201, "Closed", ClosureView.class, CLOSED);

    private static final ApiDoc CHANGE_CLOSURE = closing(
                    "changeClosure", "Give a closure another time and reason", "Changed")
            .path("id", Long.class, "The closure", "9")
            .problems(ProblemCode.CLOSURE_NOT_FOUND);

    private static final ApiDoc REOPEN = doc("reopenClosure", "End a closure")
            .tag("Administration")
            .description(
                    "Opens what nothing else keeps closed: another closure, or somebody who closed the slot by hand.")
            .path("id", Long.class, "The closure", "9")
            .answers(204, "Ended")
            .problems(ProblemCode.CLOSURE_NOT_FOUND);

    private static final ApiDoc LIST_CLOSURES = listing("listClosures", "List the closures that concern a doctor")
            .path("id", Long.class, "The doctor", "7")
            .problems(ProblemCode.DOCTOR_NOT_FOUND);

    private static final ApiDoc LIST_CLINIC_CLOSURES =
            listing("listClinicClosures", "List the closures of the whole clinic");

    private static ApiDoc closing(String id, String summary, String ok) {
        return doc(id, summary)
                .tag("Administration")
                .description("""
                        From and to are days of the clinic, the last one included, or points in time with an offset. \
                        Slots that have begun stay as they are; those that are published later into the time are closed \
                        too. Appointments in the way are named and nothing is done, unless force cancels them, for \
                        which a reason is needed.""")
                .body(ClosureRequest.class, CLOSE_BODY)
                .answers(200, ok + "; or what would happen, if dryRun was true", ClosureView.class, CLOSED)
                .problem(ClosureHandler.affected(ProblemCode.CLOSURE_AFFECTS_APPOINTMENTS, IN_THE_WAY));
    }

    private static ApiDoc listing(String id, String summary) {
        return doc(id, summary)
                .tag("Administration")
                .description("By start. Those of the whole clinic have no doctorId.")
                .optionalQuery(
                        "from", String.class, "Only what ends after this day begins, or this instant", "2026-12-01")
                .optionalQuery(
                        "to", String.class, "Only what begins by the end of this day, or this instant", "2026-12-31")
                .answersList(200, "The closures", ClosureView.class, "[" + ClosureView.EXAMPLE + "]");
    }

    private ScheduleRoutes() {}

    static ApiRoutes of(
            ClinicHandler clinic,
            DoctorHandler doctors,
            ScheduleHandler schedules,
            SlotHandler slots,
            ClosureHandler closures,
            CalendarOwners owners) {
        Access theDoctor = doctorInPath("id");
        Access doctorOfSchedule = doctorOfInPath(owners.schedules(), "id");
        Access doctorOfClosure = doctorOfInPath(owners.closures(), "id");
        return ApiRoutes.route()
                .GET("/api/clinic", everybody(), clinic::show, SHOW_CLINIC)
                .GET("/api/specialties", everybody(), doctors::specialties, LIST_SPECIALTIES)
                .GET("/api/doctors", everybody(), doctors::list, LIST_DOCTORS)
                .GET("/api/doctors/{id}", everybody(), doctors::get, GET_DOCTOR)
                .POST("/api/admin/doctors", staff(), doctors::add, ADD_DOCTOR)
                .POST("/api/admin/doctors/{id}/schedules", theDoctor, schedules::publish, PUBLISH)
                .GET("/api/admin/doctors/{id}/schedules", theDoctor, schedules::list, LIST_SCHEDULES)
                .PUT("/api/admin/schedules/{id}", doctorOfSchedule, schedules::change, CHANGE_SCHEDULE)
                .DELETE("/api/admin/schedules/{id}", doctorOfSchedule, schedules::end, END_SCHEDULE)
                .PATCH("/api/admin/slots/{id}", doctorOfInPath(owners.slots(), "id"), slots::change, CHANGE_SLOT)
                .POST("/api/admin/doctors/{id}/closures", theDoctor, closures::closeDoctor, CLOSE_DOCTOR)
                .GET("/api/admin/doctors/{id}/closures", theDoctor, closures::ofDoctor, LIST_CLOSURES)
                .POST("/api/admin/closures", staff(), closures::closeClinic, CLOSE_CLINIC)
                .GET("/api/admin/closures", staff(), closures::ofClinic, LIST_CLINIC_CLOSURES)
                .PUT("/api/admin/closures/{id}", doctorOfClosure, closures::change, CHANGE_CLOSURE)
                .DELETE("/api/admin/closures/{id}", doctorOfClosure, closures::reopen, REOPEN);
    }
}
