package dev.daybreak.notification;

import static dev.daybreak.platform.problem.ProblemCode.CONTACT_NOT_FOUND;
import static dev.daybreak.platform.problem.ProblemCode.NOTIFICATION_NOT_FAILED;
import static dev.daybreak.platform.problem.ProblemCode.NOTIFICATION_NOT_FOUND;
import static dev.daybreak.platform.security.Access.patientInPath;
import static dev.daybreak.platform.security.Access.staff;
import static dev.daybreak.platform.web.ApiDoc.doc;
import static dev.daybreak.platform.web.ApiRoutes.route;

import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.web.ApiRoutes;

/** The table of routes for contact data and messages. */
final class NotificationRoutes {

    private NotificationRoutes() {}

    static ApiRoutes contacts(ContactHandler handler) {
        return route().PUT(
                        "/api/patients/{id}/contact",
                        patientInPath("id"),
                        handler::put,
                        doc("putPatientContact", "Say how a patient can be reached")
                                .tag("Patients")
                                .description(
                                        "Replaces all of it. At least one of email and phone; the phone number in the international form. Text"
                                                + " messages are sent only with smsConsent. language is en, ko or ja, and en if absent.")
                                .path("id", Long.class, "The patient", "77")
                                .body(ContactRequest.class, ContactRequest.EXAMPLE)
                                .answers(200, "Kept", ContactView.class, ContactView.EXAMPLE))
                .GET(
                        "/api/patients/{id}/contact",
                        patientInPath("id"),
                        handler::find,
                        doc("getPatientContact", "How a patient can be reached")
                                .tag("Patients")
                                .path("id", Long.class, "The patient", "77")
                                .answers(200, "Found", ContactView.class, ContactView.EXAMPLE)
                                .problems(CONTACT_NOT_FOUND))
                .DELETE(
                        "/api/patients/{id}/contact",
                        patientInPath("id"),
                        handler::remove,
                        doc("removePatientContact", "Forget how a patient can be reached")
                                .tag("Patients")
                                .description("Messages that have not been sent yet are not sent any more.")
                                .path("id", Long.class, "The patient", "77")
                                .answers(204, "Forgotten, now or before"));
    }

    static ApiRoutes notifications(NotificationHandler handler) {
        return route().GET(
                        "/api/admin/notifications",
                        staff(),
                        handler::list,
                        doc("listNotifications", "Messages to patients, the latest first")
                                .tag("Administration")
                                .description(
                                        "With their status and its reason, and the text as it was sent or would be sent now.")
                                .optionalQuery("status", Status.class, "Only these", "FAILED")
                                .optionalQuery("patientId", Long.class, "Only to this patient", "77")
                                .optionalQuery("limit", Integer.class, "At most so many, 1 to 200", "50")
                                .answersList(
                                        200,
                                        "The messages",
                                        NotificationView.class,
                                        "[" + NotificationView.EXAMPLE + "]"))
                .POST(
                        "/api/admin/notifications/{id}/retry",
                        staff(),
                        handler::retry,
                        doc("retryNotification", "Try a failed message again")
                                .tag("Administration")
                                .description("With as many attempts as a new one.")
                                .path("id", Long.class, "The message", "9001")
                                .answers(200, "Pending again", NotificationView.class, NotificationView.EXAMPLE)
                                .problems(NOTIFICATION_NOT_FOUND)
                                .problem(Problem.of(NOTIFICATION_NOT_FAILED).with("notificationStatus", "SENT")));
    }
}
