-- tryReserve for a whole batch, in one round trip and one transaction. The arrays are parallel and in order of arrival;
-- one row is answered for each request, in the same order. The slot as it is afterwards is told with the first request
-- for it and not again. Slots are locked in id order, so batches never deadlock on them.
--
-- A pass ranks the requests of each slot by arrival and inserts the first that fit. The first pass trusts that keys are new
-- and patients free: a plain insert, whose constraints are checked once. Where that fails, the pass inserts what does not
-- conflict, and everybody without an answer goes through another pass, which looks everything up in a new snapshot and so
-- sees the row that won.
--
-- A request with a token holds its seat until p_hold_until instead of booking it. Seats of expired holds are free, whether or
-- not anybody has recorded that: holds in the way, in these slots or of these patients, end here before anything is
-- decided, and their slots are told in rows of their own after the answers.
DROP FUNCTION IF EXISTS book_batch(bigint[], bigint[], text[], timestamptz);
-- The defaults are for instances of an older version, which call it during an update and know no holds.
CREATE OR REPLACE FUNCTION book_batch(p_slots bigint[], p_patients bigint[], p_keys text[], p_now timestamptz,
                                      p_tokens text[] DEFAULT NULL, p_hold_until timestamptz DEFAULT NULL,
                                      p_max_active integer DEFAULT 0)
    RETURNS TABLE (ord integer, outcome text, appointment_id bigint, slot_id bigint, doctor_id bigint, start_at timestamptz,
                   end_at timestamptz, capacity integer, booked_count integer, opens_at timestamptz, closed boolean, version bigint)
    LANGUAGE plpgsql
    -- The plan must not depend on how full the tables were when a connection first planned it: what is made for empty tables
    -- reads all of them once they are full. So every look-up is LATERAL with a LIMIT, or EXISTS with an OFFSET, which
    -- leaves no choice but an index, a request at a time.
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
    SET enable_hashjoin = off
    SET enable_mergejoin = off
AS
$$
#variable_conflict use_column
DECLARE
    outcomes text[];         -- all of these by ord; an outcome is NULL until decided
    ids      bigint[];       -- the appointment made, or the one known under the key
    fitting  bigint[];       -- the id to insert in this pass
    starts   timestamptz[];
    ends     timestamptz[];
    won      bigint[];       -- the ids inserted in this pass
    pass     integer := 0;
    stale    bigint[] := '{}'; -- slots of holds that have expired and are in the way
    freed    bigint[] := '{}'; -- those of them that got seats back
    room     integer[];      -- under a limit: 1 may have one more, 0 has reached it, -1 is to ask again after earlier requests
BEGIN
    IF EXISTS (SELECT FROM appointment a WHERE a.status = 'HELD' AND a.hold_expires_at <= p_now
               ORDER BY a.hold_expires_at LIMIT 1 OFFSET 0) THEN
        -- The two sets are hashed, so this costs one look at each expired hold. In order, so that nothing but the index by
        -- expiry is read: others would show every live hold.
        stale := ARRAY(SELECT DISTINCT h.slot_id
                       FROM (SELECT a.slot_id, a.patient_id FROM appointment a
                             WHERE a.status = 'HELD' AND a.hold_expires_at <= p_now ORDER BY a.hold_expires_at OFFSET 0) h
                       WHERE h.slot_id IN (SELECT unnest(p_slots)) OR h.patient_id IN (SELECT unnest(p_patients)));
    END IF;
    PERFORM 1 FROM time_slot WHERE id = ANY (p_slots || stale) ORDER BY id FOR NO KEY UPDATE;
    IF cardinality(stale) > 0 THEN
        freed := ARRAY(SELECT e.slot_id FROM expire_held(stale, p_now) e);
    END IF;
    IF p_max_active > 0 THEN
        -- Who books for one patient at once takes turns, so that each counts what the others were given. In order, and after
        -- the slots, so that nobody waits for a slot while keeping others waiting for a patient.
        PERFORM pg_advisory_xact_lock(x'da1b'::integer, p.hash)
        FROM (SELECT DISTINCT hashint8(u.id) AS hash FROM unnest(p_patients) AS u (id) ORDER BY 1 OFFSET 0) p;
    END IF;
    outcomes := array_fill(NULL::text, ARRAY [cardinality(p_slots)]);
    ids := array_fill(NULL::bigint, ARRAY [cardinality(p_slots)]);

    LOOP
        IF p_max_active > 0 THEN
            SELECT array_agg(CASE WHEN c.active >= p_max_active THEN 0 WHEN c.turn <= p_max_active - c.active THEN 1 ELSE -1 END
                             ORDER BY c.ord)
            INTO room
            FROM (SELECT u.ord, row_number() OVER (PARTITION BY u.patient_id, u.verdict IS NULL ORDER BY u.ord) AS turn,
                         (SELECT count(*) FROM appointment a
                          WHERE hashint8(a.patient_id) = hashint8(u.patient_id) AND a.patient_id = u.patient_id
                            AND a.status IN ('HELD', 'BOOKED')
                            AND tstzrange(a.start_at, a.end_at) && tstzrange(p_now, NULL) AND a.start_at > p_now) AS active
                  FROM unnest(p_patients, outcomes) WITH ORDINALITY AS u (patient_id, verdict, ord)) c;
        END IF;

        SELECT array_agg(r.verdict), array_agg(r.id), array_agg(r.seat), array_agg(r.start_at), array_agg(r.end_at)
        INTO outcomes, ids, fitting, starts, ends
        FROM (SELECT j.verdict, j.id, j.start_at, j.end_at,
                     CASE WHEN j.verdict IS NULL AND j.room <> -1
                         AND row_number() OVER (PARTITION BY j.slot_id, j.verdict IS NULL AND j.room <> -1 ORDER BY j.ord) <= j.remaining
                         THEN nextval('appointment_id_seq') END AS seat
              FROM (SELECT n.ord, n.slot_id, n.remaining, n.start_at, n.end_at, n.room, coalesce(n.id, k.id, m.id) AS id,
                           CASE
                               WHEN n.verdict IS NOT NULL THEN n.verdict
                               WHEN k.requested_slot_id = n.slot_id AND k.patient_id = n.patient_id
                                   AND k.held = (n.token IS NOT NULL) THEN 'REPLAYED'
                               WHEN k.id IS NOT NULL THEN 'KEY_REUSED'
                               WHEN n.remaining IS NULL THEN 'SLOT_NOT_FOUND'
                               WHEN n.closed THEN 'SLOT_CLOSED'
                               WHEN n.start_at <= p_now THEN 'SLOT_PAST'
                               WHEN n.opens_at > p_now THEN 'SLOT_NOT_OPEN'
                               WHEN m.status = 'HELD' AND n.token IS NOT NULL THEN 'REPLAYED'
                               WHEN m.id IS NOT NULL THEN 'ALREADY_BOOKED'
                               WHEN n.remaining = 0 THEN 'SLOT_FULL'
                               WHEN n.look AND EXISTS (
                                   SELECT FROM appointment a
                                   WHERE hashint8(a.patient_id) = hashint8(n.patient_id) AND a.patient_id = n.patient_id
                                     AND a.status IN ('HELD', 'BOOKED')
                                     AND tstzrange(a.start_at, a.end_at) && tstzrange(n.start_at, n.end_at)) THEN 'PATIENT_OVERLAP'
                               WHEN n.room = 0 THEN 'BOOKING_LIMIT'
                           END AS verdict
                    FROM (SELECT o.ord, o.slot_id, o.patient_id, o.key, o.token, o.verdict, o.id, coalesce(o.room, 1) AS room,
                                 s.start_at, s.end_at, s.opens_at, s.closed, s.capacity - s.booked_count AS remaining,
                                 o.verdict IS NULL AND (pass > 0 OR s.id IS NULL OR s.closed OR s.start_at <= p_now OR s.opens_at > p_now
                                     OR s.booked_count = s.capacity OR coalesce(o.room, 1) = 0) AS look
                          FROM unnest(p_slots, p_patients, p_keys, p_tokens, outcomes, ids, room)
                              WITH ORDINALITY AS o (slot_id, patient_id, key, token, verdict, id, room, ord)
                          LEFT JOIN LATERAL (SELECT * FROM time_slot t WHERE t.id = o.slot_id LIMIT 1) s ON true) n
                    LEFT JOIN LATERAL (
                        SELECT a.id, a.requested_slot_id, a.patient_id, a.hold_tokens IS NOT NULL AS held FROM appointment a
                        WHERE n.look AND a.idempotency_key = n.key AND NOT a.filed
                        UNION ALL
                        SELECT a.id, a.requested_slot_id, a.patient_id, a.hold_tokens IS NOT NULL FROM appointment a
                        WHERE n.look AND hashtextextended(a.idempotency_key, 0) = hashtextextended(n.key, 0)
                          AND a.idempotency_key = n.key AND a.filed
                        LIMIT 1) k ON true
                    LEFT JOIN LATERAL (
                        SELECT a.id, a.status FROM appointment a
                        WHERE n.look AND a.slot_id = n.slot_id AND a.patient_id = n.patient_id
                          AND a.status IN ('HELD', 'BOOKED') LIMIT 1) m ON true
                    OFFSET 0) j
              ORDER BY j.ord) r;

        won := '{}';
        BEGIN
            IF pass = 0 THEN
                INSERT INTO appointment (id, slot_id, patient_id, status, start_at, end_at, idempotency_key, requested_slot_id, created_at,
                                         hold_tokens, hold_expires_at)
                SELECT f.id, f.slot_id, f.patient_id, CASE WHEN f.token IS NULL THEN 'BOOKED' ELSE 'HELD' END, f.start_at, f.end_at,
                       f.key, f.slot_id, p_now, CASE WHEN f.token IS NOT NULL THEN ARRAY [f.token] END,
                       CASE WHEN f.token IS NOT NULL THEN p_hold_until END
                FROM unnest(fitting, p_slots, p_patients, starts, ends, p_keys, p_tokens)
                    AS f (id, slot_id, patient_id, start_at, end_at, key, token)
                WHERE f.id IS NOT NULL;
                won := array_remove(fitting, NULL);
                IF filed_key_among(p_keys, fitting) THEN
                    RAISE unique_violation;
                END IF;
            END IF;
        EXCEPTION WHEN unique_violation OR exclusion_violation THEN
            pass := pass + 1;
        END;
        IF pass > 0 THEN
            WITH inserted AS (
                INSERT INTO appointment (id, slot_id, patient_id, status, start_at, end_at, idempotency_key, requested_slot_id, created_at,
                                         hold_tokens, hold_expires_at)
                SELECT f.id, f.slot_id, f.patient_id, CASE WHEN f.token IS NULL THEN 'BOOKED' ELSE 'HELD' END, f.start_at, f.end_at,
                       f.key, f.slot_id, p_now, CASE WHEN f.token IS NOT NULL THEN ARRAY [f.token] END,
                       CASE WHEN f.token IS NOT NULL THEN p_hold_until END
                FROM unnest(fitting, p_slots, p_patients, starts, ends, p_keys, p_tokens)
                    WITH ORDINALITY AS f (id, slot_id, patient_id, start_at, end_at, key, token, ord)
                WHERE f.id IS NOT NULL AND NOT EXISTS (
                    SELECT FROM appointment a
                    WHERE hashtextextended(a.idempotency_key, 0) = hashtextextended(f.key, 0) AND a.idempotency_key = f.key
                      AND a.filed OFFSET 0)
                ORDER BY f.ord
                ON CONFLICT DO NOTHING
                RETURNING id)
            SELECT coalesce(array_agg(id), '{}') INTO won FROM inserted;
            SELECT array_agg(CASE WHEN f.id = ANY (won) THEN f.id END ORDER BY f.ord) INTO fitting
            FROM unnest(fitting) WITH ORDINALITY AS f (id, ord);
            IF filed_key_among(p_keys, fitting) THEN
                RAISE EXCEPTION 'a key was filed meanwhile' USING ERRCODE = 'serialization_failure';
            END IF;
        END IF;

        IF cardinality(won) > 0 THEN
            UPDATE time_slot s SET booked_count = s.booked_count + w.seats, version = s.version + 1
            FROM (SELECT f.slot_id, count(f.id)::integer AS seats
                  FROM unnest(fitting, p_slots) AS f (id, slot_id) WHERE f.id IS NOT NULL GROUP BY f.slot_id) w
            WHERE s.id = w.slot_id;
            INSERT INTO outbox_event (aggregatetype, aggregateid, type, payload, created_at)
            SELECT 'appointment', f.id::text, CASE WHEN f.token IS NULL THEN 'AppointmentBooked' ELSE 'AppointmentHeld' END,
                   CASE WHEN f.token IS NULL THEN e.payload ELSE e.payload || jsonb_build_object('holdExpiresAt', p_hold_until) END, p_now
            FROM unnest(fitting, p_slots, p_patients, starts, ends, p_tokens) AS f (id, slot_id, patient_id, start_at, end_at, token)
            CROSS JOIN LATERAL (SELECT jsonb_build_object('schemaVersion', 1, 'appointmentId', f.id, 'slotId', f.slot_id, 'patientId', f.patient_id,
                                                          'startAt', f.start_at, 'endAt', f.end_at) AS payload) e
            WHERE f.id IS NOT NULL;
            SELECT array_agg(CASE WHEN f.id IS NULL THEN f.outcome ELSE 'BOOKED' END ORDER BY f.ord),
                   array_agg(coalesce(f.id, f.known) ORDER BY f.ord)
            INTO outcomes, ids
            FROM unnest(fitting, outcomes, ids) WITH ORDINALITY AS f (id, outcome, known, ord);
        END IF;

        EXIT WHEN array_position(outcomes, NULL) IS NULL;
        pass := pass + 1;
        IF pass > 8 THEN
            RAISE EXCEPTION 'requests of one batch kept conflicting' USING ERRCODE = 'serialization_failure';
        END IF;
    END LOOP;

    -- Whoever asks for a hold again gets a token of their own: nobody can be told one that is only known as a hash. Those told
    -- before go on working, as it is not known which answer arrived.
    IF array_position(outcomes, 'REPLAYED') IS NOT NULL AND cardinality(array_remove(p_tokens, NULL)) > 0 THEN
        PERFORM 1 FROM appointment a WHERE a.id = ANY (ids) AND a.status = 'HELD' ORDER BY a.id FOR NO KEY UPDATE;
        UPDATE appointment a SET hold_tokens = (a.hold_tokens || t.tokens)[greatest(1, cardinality(a.hold_tokens || t.tokens) - 4):]
        FROM (SELECT u.id, array_agg(u.token ORDER BY u.ord) AS tokens
              FROM unnest(ids, p_tokens, outcomes) WITH ORDINALITY AS u (id, token, outcome, ord)
              WHERE u.outcome = 'REPLAYED' AND u.token IS NOT NULL GROUP BY u.id) t
        WHERE a.id = t.id AND a.status = 'HELD' AND a.hold_expires_at > p_now;
    END IF;

    RETURN QUERY
        SELECT o.ord::integer, o.outcome, o.id, o.slot_id, s.doctor_id, s.start_at, s.end_at, s.capacity,
               s.booked_count, s.opens_at, s.closed, s.version
        FROM (SELECT u.*, row_number() OVER (PARTITION BY u.slot_id ORDER BY u.ord) AS place
              FROM unnest(outcomes, ids, p_slots) WITH ORDINALITY AS u (outcome, id, slot_id, ord)) o
        LEFT JOIN LATERAL (SELECT * FROM time_slot t WHERE o.place = 1 AND t.id = o.slot_id LIMIT 1) s ON true
        ORDER BY o.ord;
    IF cardinality(freed) > 0 AND p_tokens IS NOT NULL THEN
        RETURN QUERY
            SELECT NULL::integer, 'FREED', NULL::bigint, s.id, s.doctor_id, s.start_at, s.end_at, s.capacity,
                   s.booked_count, s.opens_at, s.closed, s.version
            FROM time_slot s WHERE s.id = ANY (freed);
    END IF;
END
$$;

-- Whether one of these keys, of those with an id, is that of a filed appointment. To be asked after the insert: a key leaves the
-- unique index by the same change that brings it into the other one. Either the insert found it in the first, and waited for
-- that change if it was under way, or a statement that begins later finds it in the second.
CREATE OR REPLACE FUNCTION filed_key_among(p_keys text[], p_ids bigint[])
    RETURNS boolean
    LANGUAGE plpgsql
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
    SET enable_hashjoin = off
    SET enable_mergejoin = off
AS
$$
BEGIN
    RETURN EXISTS (
        SELECT FROM unnest(p_keys, p_ids) AS u (key, id)
        CROSS JOIN LATERAL (
            SELECT FROM appointment a
            WHERE hashtextextended(a.idempotency_key, 0) = hashtextextended(u.key, 0) AND a.idempotency_key = u.key AND a.filed
            LIMIT 1) f
        WHERE u.id IS NOT NULL OFFSET 0);
END
$$;
