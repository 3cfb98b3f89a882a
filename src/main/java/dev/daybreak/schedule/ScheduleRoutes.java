package dev.daybreak.schedule;

import static dev.daybreak.platform.web.ApiDoc.doc;

import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.web.ApiDoc;
import dev.daybreak.platform.web.ApiRoutes;
import dev.daybreak.schedule.PublishOutcome.Published;

/** What the clinic publishes, and who may be visited, over HTTP. */
final class ScheduleRoutes {

    private static final String DOCTOR = """
            {"id": 7, "name": "Dr. Haruka Mori", "specialty": "Paediatrics"}""";

    private static final String FIGURES = """
            {"created": 240, "existing": 0, "skipped": 0}""";

    private static final String HOURS = """
            "fromDate": "2026-10-12", "toDate": "2026-10-25", "weekdays": ["MONDAY", "TUESDAY"],
            "startTime": "08:00", "endTime": "17:00", "slotMinutes": 20, "capacity": 1,
            "breaks": [{"startTime": "12:00", "endTime": "13:00"}], "mode": "FIXED\"""";

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
                    what is missing. Where the clocks change, starts that do not exist are skipped and those that come \
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

    private static final ApiDoc CHANGE_SLOT = doc("changeSlot", "Change the capacity of a slot, close or reopen it")
            .tag("Administration")
            .description("At least one of the two fields. Added seats can be booked at once; a closed slot keeps its"
                    + " appointments and takes no more.")
            .path("id", Long.class, "The slot", "1001")
            .body(SlotChange.class, """
                    {"capacity": 12, "closed": false}""")
            .answers(200, "The slot as it is now", SlotView.class, SlotView.EXAMPLE)
            .problems(ProblemCode.SLOT_NOT_FOUND)
            .problem(SlotHandler.belowBooked(9));

    private ScheduleRoutes() {}

    static ApiRoutes of(DoctorHandler doctors, ScheduleHandler schedules, SlotHandler slots) {
        return ApiRoutes.route()
                .GET("/api/doctors", doctors::list, LIST_DOCTORS)
                .GET("/api/doctors/{id}", doctors::get, GET_DOCTOR)
                .POST("/api/admin/doctors", doctors::add, ADD_DOCTOR)
                .POST("/api/admin/doctors/{id}/schedules", schedules::publish, PUBLISH)
                .GET("/api/admin/doctors/{id}/schedules", schedules::list, LIST_SCHEDULES)
                .PATCH("/api/admin/slots/{id}", slots::change, CHANGE_SLOT);
    }
}
