-- Reserves times of one room, in order of arrival; the arrays are parallel, times are seconds since 1970. One row is answered for each
-- request: RESERVED or REPLAYED with the reservation, KEY_REUSED, ROOM_NOT_FOUND, ROOM_CLOSED, RESERVATION_CONFLICT. Who writes to a
-- room takes turns by a lock with the room's name, and waits for it p_lock_ms at most. The name is made of the id: the
-- one that people see may change while somebody waits. Without p_lock_ms it only looks, and answers FREE where
-- it would reserve.
CREATE OR REPLACE FUNCTION reserve_room(p_room bigint, p_starts bigint[], p_ends bigint[], p_names text[], p_hashes text[],
                                        p_keys text[], p_lock_ms integer, p_now timestamptz)
    RETURNS TABLE (ord integer, outcome text, reservation_id bigint)
    LANGUAGE plpgsql
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
AS
$$
#variable_conflict use_variable
DECLARE
    is_active boolean;
    wanted    text;
    starts    timestamptz;
    ends      timestamptz;
BEGIN
    IF p_lock_ms IS NOT NULL THEN
        PERFORM lock_rooms(ARRAY[p_room], p_lock_ms);
    END IF;
    SELECT o.active INTO is_active FROM room o WHERE o.id = p_room;

    FOR i IN 1 .. cardinality(p_starts) LOOP
        ord := i;
        starts := to_timestamp(p_starts[i]);
        ends := to_timestamp(p_ends[i]);
        wanted := concat_ws(' ', p_room, p_starts[i], p_ends[i], p_names[i]);
        FOR try IN 1 .. 5 LOOP
            SELECT r.id, CASE WHEN r.requested = wanted THEN 'REPLAYED' ELSE 'KEY_REUSED' END INTO reservation_id, outcome
            FROM reservation r WHERE r.idempotency_key = p_keys[i];
            EXIT WHEN outcome IS NOT NULL;

            outcome := CASE
                WHEN is_active IS NULL THEN 'ROOM_NOT_FOUND'
                WHEN NOT is_active THEN 'ROOM_CLOSED'
                WHEN EXISTS (SELECT FROM reservation r
                             WHERE r.room_id = p_room AND r.status = 'ACTIVE' AND tstzrange(r.start_at, r.end_at) && tstzrange(starts, ends)
                             OFFSET 0) THEN 'RESERVATION_CONFLICT'
                WHEN p_lock_ms IS NULL THEN 'FREE'
            END;
            EXIT WHEN outcome IS NOT NULL;

            BEGIN
                INSERT INTO reservation (room_id, start_at, end_at, name, password_hash, idempotency_key, requested, created_at)
                VALUES (p_room, starts, ends, p_names[i], p_hashes[i], p_keys[i],
                        CASE WHEN p_keys[i] IS NOT NULL THEN wanted END, p_now)
                RETURNING id INTO reservation_id;
                INSERT INTO outbox_event (aggregatetype, aggregateid, type, payload, created_at)
                VALUES ('reservation', reservation_id::text, 'ReservationCreated',
                        jsonb_build_object('schemaVersion', 1, 'reservationId', reservation_id, 'roomId', p_room,
                                           'startAt', starts, 'endAt', ends), p_now);
                outcome := 'RESERVED';
            EXCEPTION WHEN unique_violation OR exclusion_violation THEN
                reservation_id := NULL; -- somebody has committed since: the next look sees it
            END;
            EXIT WHEN outcome IS NOT NULL;
        END LOOP;
        IF outcome IS NULL THEN
            RAISE EXCEPTION 'a reservation kept conflicting' USING ERRCODE = 'serialization_failure';
        END IF;
        RETURN NEXT;
    END LOOP;
END
$$;

-- Gives a reservation another time, another room or both, or keeps it as it is. Outcomes: MOVED, UNCHANGED (it is there already),
-- RESERVATION_NOT_FOUND, NOT_ACTIVE (cancelled or over), PAST (begins before p_earliest, and did not before), ROOM_NOT_FOUND, ROOM_CLOSED,
-- RESERVATION_CONFLICT. Rooms are locked in id order, then the reservation.
CREATE OR REPLACE FUNCTION move_reservation(p_id bigint, p_room bigint, p_start bigint, p_end bigint, p_actor text,
                                            p_earliest timestamptz, p_lock_ms integer, p_now timestamptz)
    RETURNS TABLE (outcome text, from_room bigint, from_start timestamptz, from_end timestamptz)
    LANGUAGE plpgsql
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
AS
$$
#variable_conflict use_variable
DECLARE
    starts timestamptz := to_timestamp(p_start);
    ends   timestamptz := to_timestamp(p_end);
    old    reservation;
BEGIN
    SELECT r.room_id INTO from_room FROM reservation r WHERE r.id = p_id;
    PERFORM lock_rooms(ARRAY[from_room, p_room], p_lock_ms);
    SELECT * INTO old FROM reservation r WHERE r.id = p_id FOR NO KEY UPDATE;
    IF old.room_id <> from_room THEN
        RAISE EXCEPTION 'the reservation was moved' USING ERRCODE = 'serialization_failure';
    END IF;
    from_start := old.start_at;
    from_end := old.end_at;

    FOR try IN 1 .. 5 LOOP
        outcome := CASE
            WHEN old.id IS NULL THEN 'RESERVATION_NOT_FOUND'
            WHEN old.status <> 'ACTIVE' OR old.end_at <= p_now THEN 'NOT_ACTIVE'
            WHEN old.room_id = p_room AND old.start_at = starts AND old.end_at = ends THEN 'UNCHANGED'
            WHEN starts < p_earliest AND starts <> old.start_at OR ends <= p_now THEN 'PAST'
            WHEN NOT EXISTS (SELECT FROM room o WHERE o.id = p_room) THEN 'ROOM_NOT_FOUND'
            WHEN NOT EXISTS (SELECT FROM room o WHERE o.id = p_room AND o.active) THEN 'ROOM_CLOSED'
            WHEN EXISTS (SELECT FROM reservation r
                         WHERE r.room_id = p_room AND r.status = 'ACTIVE' AND tstzrange(r.start_at, r.end_at) && tstzrange(starts, ends)
                           AND r.id <> p_id
                         OFFSET 0) THEN 'RESERVATION_CONFLICT'
        END;
        EXIT WHEN outcome IS NOT NULL;

        BEGIN
            UPDATE reservation r
            SET room_id = p_room, start_at = starts, end_at = ends, revision = r.revision + 1,
                history = coalesce(r.history, '[]') || jsonb_build_array(jsonb_build_object(
                    'at', p_now, 'by', p_actor, 'change', 'MOVED', 'fromRoomId', old.room_id, 'toRoomId', p_room,
                    'fromStartAt', old.start_at, 'fromEndAt', old.end_at, 'toStartAt', starts, 'toEndAt', ends))
            WHERE r.id = p_id;
            INSERT INTO outbox_event (aggregatetype, aggregateid, type, payload, created_at)
            VALUES ('reservation', p_id::text, 'ReservationMoved',
                    jsonb_build_object('schemaVersion', 1, 'reservationId', p_id, 'roomId', p_room, 'startAt', starts, 'endAt', ends,
                                       'fromRoomId', old.room_id, 'fromStartAt', old.start_at, 'fromEndAt', old.end_at,
                                       'revision', old.revision + 1), p_now);
            outcome := 'MOVED';
        EXCEPTION WHEN exclusion_violation THEN
            NULL; -- somebody has committed since: the next look sees it
        END;
        EXIT WHEN outcome IS NOT NULL;
    END LOOP;
    IF outcome IS NULL THEN
        RAISE EXCEPTION 'a reservation kept conflicting' USING ERRCODE = 'serialization_failure';
    END IF;
    RETURN NEXT;
END
$$;

-- Cancels a reservation, once however often and from however many sides it is asked: CANCELLED, UNCHANGED (it was before) or
-- RESERVATION_NOT_FOUND. Takes no room's lock, as it only makes room.
CREATE OR REPLACE FUNCTION cancel_reservation(p_id bigint, p_actor text, p_reason text, p_now timestamptz)
    RETURNS TABLE (outcome text, room_id bigint, start_at timestamptz, end_at timestamptz)
    LANGUAGE plpgsql
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
AS
$$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        WITH ended AS (
            UPDATE reservation r
            SET status = 'CANCELLED', revision = r.revision + 1, cancelled_at = p_now, cancelled_by = p_actor, cancel_reason = p_reason,
                history = coalesce(r.history, '[]') || jsonb_build_array(jsonb_strip_nulls(jsonb_build_object(
                    'at', p_now, 'by', p_actor, 'change', 'CANCELLED', 'reason', p_reason)))
            WHERE r.id = p_id AND r.status = 'ACTIVE'
            RETURNING r.id, r.room_id, r.start_at, r.end_at, r.revision),
        told AS (
            INSERT INTO outbox_event (aggregatetype, aggregateid, type, payload, created_at)
            SELECT 'reservation', e.id::text, 'ReservationCancelled',
                   jsonb_build_object('schemaVersion', 1, 'reservationId', e.id, 'roomId', e.room_id,
                                      'startAt', e.start_at, 'endAt', e.end_at, 'revision', e.revision, 'cancelledBy', p_actor), p_now
            FROM ended e)
        SELECT 'CANCELLED', e.room_id, e.start_at, e.end_at FROM ended e;
    IF NOT FOUND THEN
        RETURN QUERY
            SELECT CASE WHEN EXISTS (SELECT FROM reservation r WHERE r.id = p_id) THEN 'UNCHANGED' ELSE 'RESERVATION_NOT_FOUND' END,
                   NULL::bigint, NULL::timestamptz, NULL::timestamptz;
    END IF;
END
$$;

-- Takes the locks of rooms in id order until the end of the transaction, or fails when one of them takes longer than p_lock_ms.
CREATE OR REPLACE FUNCTION lock_rooms(p_rooms bigint[], p_lock_ms integer)
    RETURNS void
    LANGUAGE plpgsql
AS
$$
DECLARE
    locked bigint;
BEGIN
    PERFORM set_config('lock_timeout', p_lock_ms || 'ms', true);
    FOR locked IN SELECT DISTINCT u.id FROM unnest(p_rooms) AS u (id) WHERE u.id IS NOT NULL ORDER BY u.id LOOP
        PERFORM pg_advisory_xact_lock(hashtextextended('room:' || locked, 0));
    END LOOP;
END
$$;
