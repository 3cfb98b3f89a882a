-- Cancels a batch of appointments: each seat is given back once, by the change of status, however often and from however
-- many sides it is cancelled. Slots are locked in id order before the appointments, as in book_batch.
CREATE OR REPLACE FUNCTION cancel_batch(p_ids bigint[], p_actors text[], p_reasons text[], p_now timestamptz)
    RETURNS TABLE (ord integer, outcome text, slot_id bigint, doctor_id bigint, start_at timestamptz, end_at timestamptz,
                   capacity integer, booked_count integer, opens_at timestamptz, closed boolean, version bigint)
    LANGUAGE plpgsql
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
AS
$$
#variable_conflict use_column
DECLARE
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
              FROM unnest(p_ids, p_actors, p_reasons) WITH ORDINALITY AS u (id, actor, reason, ord) ORDER BY id, ord) r
        WHERE a.id = r.id AND a.status IN ('HELD', 'BOOKED')
        RETURNING a.id, a.slot_id, a.patient_id, a.start_at, a.end_at, a.revision, r.actor),
    lowered AS (
        UPDATE time_slot s SET booked_count = s.booked_count - e.seats, version = s.version + 1
        FROM (SELECT slot_id, count(*)::integer AS seats FROM ended GROUP BY slot_id) e
        WHERE s.id = e.slot_id),
    told AS (
        INSERT INTO outbox_event (aggregatetype, aggregateid, type, payload, created_at)
        SELECT 'appointment', e.id::text, 'AppointmentCancelled',
               jsonb_build_object('appointmentId', e.id, 'slotId', e.slot_id, 'patientId', e.patient_id, 'startAt', e.start_at,
                                  'endAt', e.end_at, 'revision', e.revision, 'cancelledBy', e.actor), p_now
        FROM ended e)
    SELECT coalesce(array_agg(id), '{}') INTO cancelled FROM ended;

    RETURN QUERY
        SELECT u.ord::integer,
               CASE
                   WHEN a.id IS NULL THEN 'NOT_FOUND'
                   WHEN a.id = ANY (cancelled) AND row_number() OVER (PARTITION BY u.id ORDER BY u.ord) = 1 THEN 'CANCELLED'
                   ELSE 'UNCHANGED'
               END,
               s.id, s.doctor_id, s.start_at, s.end_at, s.capacity, s.booked_count, s.opens_at, s.closed, s.version
        FROM unnest(p_ids) WITH ORDINALITY AS u (id, ord)
        LEFT JOIN appointment a ON a.id = u.id
        LEFT JOIN time_slot s ON s.id = a.slot_id;
END
$$;
