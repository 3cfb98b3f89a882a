-- Ends appointments of slots, or of flexible doctors, that the caller has locked, in its transaction: cancels them in the name of the clinic, and
-- expires holds that have run out. Answers how many it cancelled. Seats are given back by the change of status, once; the version of
-- a slot rises with each, as in expire_held.
CREATE OR REPLACE FUNCTION end_appointments(p_ids bigint[], p_actor text, p_reason text, p_now timestamptz)
    RETURNS bigint
    LANGUAGE plpgsql
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
    SET enable_hashjoin = off
    SET enable_mergejoin = off
AS
$$
DECLARE
    cancelled bigint;
BEGIN
    PERFORM 1 FROM appointment WHERE id = ANY (p_ids) ORDER BY id FOR NO KEY UPDATE;

    WITH ended AS (
        UPDATE appointment a
        SET status = e.status, revision = a.revision + 1,
            cancelled_at = CASE e.status WHEN 'CANCELLED' THEN p_now END,
            cancelled_by = CASE e.status WHEN 'CANCELLED' THEN p_actor END,
            cancel_reason = CASE e.status WHEN 'CANCELLED' THEN p_reason END,
            history = coalesce(a.history, '[]') || jsonb_build_array(jsonb_strip_nulls(jsonb_build_object(
                'at', p_now, 'by', p_actor, 'change', e.status, 'reason', CASE e.status WHEN 'CANCELLED' THEN p_reason END)))
        FROM (SELECT o.id, CASE WHEN o.status = 'HELD' AND o.hold_expires_at <= p_now THEN 'EXPIRED' ELSE 'CANCELLED' END AS status
              FROM appointment o WHERE o.id = ANY (p_ids) AND o.status IN ('HELD', 'BOOKED')) e
        WHERE a.id = e.id AND a.id = ANY (p_ids)
        RETURNING a.id, a.slot_id, a.doctor_id, a.patient_id, a.status, a.start_at, a.end_at, a.revision),
    lowered AS (
        UPDATE time_slot s SET booked_count = s.booked_count - f.seats, version = s.version + f.seats
        FROM (SELECT slot_id, count(*)::integer AS seats FROM ended GROUP BY slot_id) f
        WHERE s.id = f.slot_id),
    told AS (
        INSERT INTO outbox_event (aggregatetype, aggregateid, type, payload, created_at)
        SELECT 'appointment', e.id::text, CASE e.status WHEN 'EXPIRED' THEN 'HoldExpired' ELSE 'AppointmentCancelled' END,
               jsonb_strip_nulls(jsonb_build_object(
                   'schemaVersion', 1, 'appointmentId', e.id, 'slotId', e.slot_id, 'doctorId', e.doctor_id, 'patientId', e.patient_id,
                   'startAt', e.start_at, 'endAt', e.end_at, 'revision', e.revision,
                   'cancelledBy', CASE e.status WHEN 'CANCELLED' THEN p_actor END)), p_now
        FROM ended e ORDER BY e.id)
    SELECT count(*) FILTER (WHERE status = 'CANCELLED') INTO cancelled FROM ended;
    RETURN cancelled;
END
$$;
