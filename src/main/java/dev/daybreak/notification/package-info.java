/**
 * What patients are told about their appointments, by e-mail and text message. Owns the tables {@code notification} and {@code
 * patient_contact}; promises one message for an event and a channel, checked against the appointment once more when it is
 * sent, and that addresses are in no event, no log and no message row.
 */
@NullMarked
package dev.daybreak.notification;

import org.jspecify.annotations.NullMarked;
