-- Cancels a batch of appointments: each seat is given back once, by the change of status, however often and from however
-- many sides it is cancelled. Slots are locked in id order before the appointments, as in book_batch. A hold
-- that has expired is no longer there to be cancelled. Patients cannot cancel when less than p_latest_seconds are left until
-- the start.
DROP FUNCTION IF EXISTS cancel_batch(bigint[], text[], text[], timestamptz);
-- The default is for instances of an older version, which call it during an update.
CREATE OR REPLACE FUNCTION cancel_batch(p_ids bigint[], p_actors text[], p_reasons text[], p_now timestamptz,
                                        p_latest_seconds double precision DEFAULT NULL)
    RETURNS TABLE (ord integer, outcome text, slot_id bigint, doctor_id bigint, start_at timestamptz, end_at timestamptz,
                   capacity integer, booked_count integer, opens_at timestamptz, closed boolean, version bigint)
    LANGUAGE plpgsql
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
    SET enable_hashjoin = off
    SET enable_mergejoin = off
AS
$$
#variable_conflict use_column
DECLARE
    latest    interval := make_interval(secs => p_latest_seconds);
    locked    bigint[];
    cancelled bigint[];
BEGIN
    SELECT array_agg(s.id) INTO locked
    FROM (SELECT t.id FROM time_slot t
          WHERE t.id IN (SELECT a.slot_id FROM appointment a WHERE a.id = ANY (p_ids))
          ORDER BY t.id FOR NO KEY UPDATE) s;
    IF EXISTS (SELECT FROM appointment a
               WHERE a.id = ANY (p_ids) AND a.status IN ('HELD', 'BOOKED') AND a.slot_id <> ALL (locked)) THEN
        RAISE EXCEPTION 'an appointment was moved' USING ERRCODE = 'serialization_failure';
    END IF;

    WITH ended AS (
        UPDATE appointment a
        SET status = 'CANCELLED', revision = a.revision + 1, cancelled_at = p_now, cancelled_by = r.actor, cancel_reason = r.reason,
            history = coalesce(a.history, '[]') || jsonb_build_array(jsonb_strip_nulls(jsonb_build_object(
                'at', p_now, 'by', r.actor, 'change', 'CANCELLED', 'reason', r.reason)))
        FROM (SELECT DISTINCT ON (id) id, actor, reason
              FROM unnest(p_ids, p_actors, p_reasons) WITH ORDINALITY AS u (id, actor, reason, ord)
              ORDER BY id, latest IS NOT NULL AND actor = 'patient', ord) r -- staff first, if patients may not be allowed to
        WHERE a.id = r.id AND a.id = ANY (p_ids)
          AND (a.status = 'HELD' AND a.hold_expires_at > p_now
            OR a.status = 'BOOKED' AND (latest IS NULL OR r.actor <> 'patient' OR p_now <= a.start_at - latest))
        RETURNING a.id, a.slot_id, a.doctor_id, a.patient_id, a.start_at, a.end_at, a.revision, r.actor),
    lowered AS (
        UPDATE time_slot s SET booked_count = s.booked_count - e.seats, version = s.version + 1
        FROM (SELECT slot_id, count(*)::integer AS seats FROM ended GROUP BY slot_id) e
        WHERE s.id = e.slot_id),
    told AS (
        INSERT INTO outbox_event (aggregatetype, aggregateid, type, payload, created_at)
        SELECT 'appointment', e.id::text, 'AppointmentCancelled',
               jsonb_strip_nulls(jsonb_build_object(
                   'schemaVersion', 1, 'appointmentId', e.id, 'slotId', e.slot_id, 'doctorId', e.doctor_id, 'patientId', e.patient_id,
                   'startAt', e.start_at, 'endAt', e.end_at, 'revision', e.revision, 'cancelledBy', e.actor)), p_now
        FROM ended e)
    SELECT coalesce(array_agg(id), '{}') INTO cancelled FROM ended;

    RETURN QUERY
        SELECT u.ord::integer,
               CASE
                   WHEN a.id IS NULL THEN 'NOT_FOUND'
                   WHEN a.id = ANY (cancelled) AND row_number() OVER (PARTITION BY u.id ORDER BY u.ord) = 1 THEN 'CANCELLED'
                   WHEN a.status = 'PAST' OR a.status = 'BOOKED' AND latest IS NOT NULL THEN 'TOO_LATE'
                   ELSE 'UNCHANGED'
               END,
               s.id, s.doctor_id, s.start_at, s.end_at, s.capacity, s.booked_count, s.opens_at, s.closed, s.version
        FROM unnest(p_ids) WITH ORDINALITY AS u (id, ord)
        LEFT JOIN LATERAL (SELECT b.id, b.slot_id, b.status FROM appointment b WHERE b.id = u.id LIMIT 1) a ON true
        LEFT JOIN LATERAL (SELECT * FROM time_slot t WHERE t.id = a.slot_id LIMIT 1) s ON true;
END
$$;
