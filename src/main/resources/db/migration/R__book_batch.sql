-- tryReserve for a whole batch, in one round trip and one transaction. The arrays are parallel and in order of arrival;
-- one row is answered for each request, `ord` is its place. Slots are locked in id order, so batches never deadlock on them.
--
-- A pass ranks the requests of each slot by arrival and inserts the first that fit. The first pass trusts that keys are new
-- and patients free: a plain insert, whose constraints are checked once. Where that fails, the pass inserts what does not
-- conflict, and everybody without an answer goes through another pass, which looks everything up in a new snapshot and so
-- sees the row that won.
CREATE OR REPLACE FUNCTION book_batch(p_slots bigint[], p_patients bigint[], p_keys text[], p_now timestamptz)
    RETURNS TABLE (ord integer, outcome text, appointment_id bigint, slot_id bigint, doctor_id bigint, start_at timestamptz,
                   end_at timestamptz, capacity integer, booked_count integer, opens_at timestamptz, closed boolean, version bigint)
    LANGUAGE plpgsql
    -- The plan must not depend on how full the tables were when a connection first planned it.
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
    SET enable_hashjoin = off
    SET enable_mergejoin = off
AS
$$
#variable_conflict use_column
DECLARE
    outcomes text[];    -- by ord; NULL until decided
    ids      bigint[];  -- by ord: the appointment made, or the one known under the key
    fitting  bigint[];  -- by ord: the id to insert in this pass
    won      bigint[];
    pass     integer := 0;
BEGIN
    PERFORM 1 FROM time_slot WHERE id = ANY (p_slots) ORDER BY id FOR NO KEY UPDATE;
    outcomes := array_fill(NULL::text, ARRAY [cardinality(p_slots)]);
    ids := array_fill(NULL::bigint, ARRAY [cardinality(p_slots)]);

    LOOP
        SELECT array_agg(r.verdict ORDER BY r.ord), array_agg(r.id ORDER BY r.ord), array_agg(r.seat ORDER BY r.ord)
        INTO outcomes, ids, fitting
        FROM (SELECT j.ord, j.verdict, j.id,
                     CASE WHEN j.verdict IS NULL
                         AND row_number() OVER (PARTITION BY j.slot_id, j.verdict IS NULL ORDER BY j.ord) <= j.remaining
                         THEN nextval('appointment_id_seq') END AS seat
              FROM (SELECT n.ord, n.slot_id, n.remaining, coalesce(n.id, k.id) AS id,
                           CASE
                               WHEN n.verdict IS NOT NULL THEN n.verdict
                               WHEN k.requested_slot_id = n.slot_id AND k.patient_id = n.patient_id THEN 'REPLAYED'
                               WHEN k.id IS NOT NULL THEN 'KEY_REUSED'
                               WHEN n.remaining IS NULL THEN 'SLOT_NOT_FOUND'
                               WHEN n.closed THEN 'SLOT_CLOSED'
                               WHEN n.start_at <= p_now THEN 'SLOT_PAST'
                               WHEN n.opens_at > p_now THEN 'SLOT_NOT_OPEN'
                               WHEN n.look AND EXISTS (
                                   SELECT FROM appointment a
                                   WHERE a.slot_id = n.slot_id AND a.patient_id = n.patient_id
                                     AND a.status IN ('HELD', 'BOOKED')) THEN 'ALREADY_BOOKED'
                               WHEN n.remaining = 0 THEN 'SLOT_FULL'
                               WHEN n.look AND EXISTS (
                                   SELECT FROM appointment a
                                   WHERE a.patient_id = n.patient_id AND a.status IN ('HELD', 'BOOKED')
                                     AND tstzrange(a.start_at, a.end_at) && tstzrange(n.start_at, n.end_at)) THEN 'PATIENT_OVERLAP'
                           END AS verdict
                    FROM (SELECT o.ord::integer, p_slots[o.ord] AS slot_id, p_patients[o.ord] AS patient_id, p_keys[o.ord] AS key,
                                 o.verdict, ids[o.ord] AS id, s.start_at, s.end_at, s.opens_at, s.closed, s.capacity - s.booked_count AS remaining,
                                 o.verdict IS NULL AND (pass > 0 OR s.id IS NULL OR s.closed OR s.start_at <= p_now OR s.opens_at > p_now
                                     OR s.booked_count = s.capacity) AS look
                          FROM unnest(outcomes) WITH ORDINALITY AS o (verdict, ord)
                          LEFT JOIN time_slot s ON s.id = p_slots[o.ord]) n
                    LEFT JOIN appointment k ON n.look AND k.idempotency_key = n.key
                    OFFSET 0) j) r;

        won := '{}';
        BEGIN
            IF pass = 0 THEN
                INSERT INTO appointment (id, slot_id, patient_id, status, start_at, end_at, idempotency_key, requested_slot_id, created_at)
                SELECT f.id, s.id, p_patients[f.ord], 'BOOKED', s.start_at, s.end_at, p_keys[f.ord], s.id, p_now
                FROM unnest(fitting) WITH ORDINALITY AS f (id, ord) JOIN time_slot s ON s.id = p_slots[f.ord]
                WHERE f.id IS NOT NULL;
                won := array_remove(fitting, NULL);
            END IF;
        EXCEPTION WHEN unique_violation OR exclusion_violation THEN
            pass := pass + 1;
        END;
        IF pass > 0 THEN
            WITH inserted AS (
                INSERT INTO appointment (id, slot_id, patient_id, status, start_at, end_at, idempotency_key, requested_slot_id, created_at)
                SELECT f.id, s.id, p_patients[f.ord], 'BOOKED', s.start_at, s.end_at, p_keys[f.ord], s.id, p_now
                FROM unnest(fitting) WITH ORDINALITY AS f (id, ord) JOIN time_slot s ON s.id = p_slots[f.ord]
                WHERE f.id IS NOT NULL ORDER BY f.ord
                ON CONFLICT DO NOTHING
                RETURNING id)
            SELECT coalesce(array_agg(id), '{}') INTO won FROM inserted;
        END IF;

        IF cardinality(won) > 0 THEN
            UPDATE time_slot s SET booked_count = s.booked_count + w.seats, version = s.version + 1
            FROM (SELECT p_slots[f.ord] AS slot_id, count(*)::integer AS seats
                  FROM unnest(fitting) WITH ORDINALITY AS f (id, ord) WHERE f.id = ANY (won) GROUP BY 1) w
            WHERE s.id = w.slot_id;
            INSERT INTO outbox_event (aggregatetype, aggregateid, type, payload, created_at)
            SELECT 'appointment', a.id::text, 'AppointmentBooked',
                   jsonb_build_object('appointmentId', a.id, 'slotId', a.slot_id, 'patientId', a.patient_id,
                                      'startAt', a.start_at, 'endAt', a.end_at), p_now
            FROM appointment a WHERE a.id = ANY (won) ORDER BY a.id;
            SELECT array_agg(CASE WHEN f.id = ANY (won) THEN 'BOOKED' ELSE outcomes[f.ord] END ORDER BY f.ord),
                   array_agg(CASE WHEN f.id = ANY (won) THEN f.id ELSE ids[f.ord] END ORDER BY f.ord)
            INTO outcomes, ids
            FROM unnest(fitting) WITH ORDINALITY AS f (id, ord);
        END IF;

        EXIT WHEN array_position(outcomes, NULL) IS NULL;
        pass := pass + 1;
        IF pass > 8 THEN
            RAISE EXCEPTION 'requests of one batch kept conflicting' USING ERRCODE = 'serialization_failure';
        END IF;
    END LOOP;

    RETURN QUERY
        SELECT o.ord::integer, o.outcome, ids[o.ord], p_slots[o.ord], s.doctor_id, s.start_at, s.end_at, s.capacity,
               s.booked_count, s.opens_at, s.closed, s.version
        FROM unnest(outcomes) WITH ORDINALITY AS o (outcome, ord) LEFT JOIN time_slot s ON s.id = p_slots[o.ord];
END
$$;
