-- Ends the holds of some slots that have expired: seats given back, event and history written. The caller has locked the slots,
-- and gets those that changed, with the number of seats. The version of a slot rises by one for every seat, as readers count each
-- expired hold as a change from the moment it expires.
CREATE OR REPLACE FUNCTION expire_held(p_slots bigint[], p_now timestamptz)
    RETURNS TABLE (slot_id bigint, seats integer)
    LANGUAGE plpgsql
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
    SET enable_hashjoin = off
    SET enable_mergejoin = off
AS
$$
#variable_conflict use_column
DECLARE
    due bigint[];
BEGIN
    due := ARRAY(SELECT a.id FROM appointment a
                 WHERE a.slot_id = ANY (p_slots) AND a.status = 'HELD' AND a.hold_expires_at <= p_now);
    IF cardinality(due) = 0 THEN
        RETURN;
    END IF;
    -- Somebody may be confirming one of them, by a clock that is behind: who has the row first wins.
    PERFORM 1 FROM appointment a WHERE a.id = ANY (due) ORDER BY a.id FOR NO KEY UPDATE;

    RETURN QUERY
        WITH expired AS (
            UPDATE appointment a
            SET status = 'EXPIRED', revision = a.revision + 1,
                history = coalesce(a.history, '[]') || jsonb_build_array(
                    jsonb_build_object('at', a.hold_expires_at, 'by', 'system', 'change', 'EXPIRED'))
            WHERE a.id = ANY (due) AND a.slot_id = ANY (p_slots) AND a.status = 'HELD' AND a.hold_expires_at <= p_now
            RETURNING a.id, a.slot_id, a.patient_id, a.start_at, a.end_at, a.revision, a.hold_expires_at),
        freed AS (
            SELECT e.slot_id, count(*)::integer AS seats FROM expired e GROUP BY e.slot_id),
        lowered AS (
            UPDATE time_slot s SET booked_count = s.booked_count - f.seats, version = s.version + f.seats
            FROM freed f WHERE s.id = f.slot_id),
        told AS (
            INSERT INTO outbox_event (aggregatetype, aggregateid, type, payload, created_at)
            SELECT 'appointment', e.id::text, 'HoldExpired',
                   jsonb_build_object('schemaVersion', 1, 'appointmentId', e.id, 'slotId', e.slot_id, 'patientId', e.patient_id, 'startAt', e.start_at,
                                      'endAt', e.end_at, 'revision', e.revision, 'holdExpiresAt', e.hold_expires_at), p_now
            FROM expired e)
        SELECT f.slot_id, f.seats FROM freed f;
END
$$;

-- What the sweeper does: the holds that expired first, p_limit of them or a few more. One row for each slot that changed.
CREATE OR REPLACE FUNCTION expire_holds(p_now timestamptz, p_limit integer)
    RETURNS TABLE (seats integer, slot_id bigint, doctor_id bigint, start_at timestamptz, end_at timestamptz, capacity integer,
                   booked_count integer, opens_at timestamptz, closed boolean, version bigint)
    LANGUAGE plpgsql
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
    SET enable_hashjoin = off
    SET enable_mergejoin = off
AS
$$
#variable_conflict use_column
DECLARE
    stale bigint[];
    freed bigint[];
    given integer[];
BEGIN
    stale := ARRAY(SELECT a.slot_id FROM appointment a WHERE a.status = 'HELD' AND a.hold_expires_at <= p_now
                   ORDER BY a.hold_expires_at LIMIT p_limit);
    PERFORM 1 FROM time_slot WHERE id = ANY (stale) ORDER BY id FOR NO KEY UPDATE;
    SELECT array_agg(e.slot_id), array_agg(e.seats) INTO freed, given FROM expire_held(stale, p_now) e;
    RETURN QUERY
        SELECT u.seats, s.id, s.doctor_id, s.start_at, s.end_at, s.capacity, s.booked_count, s.opens_at, s.closed, s.version
        FROM unnest(freed, given) AS u (id, seats)
        CROSS JOIN LATERAL (SELECT * FROM time_slot t WHERE t.id = u.id LIMIT 1) s;
END
$$;
