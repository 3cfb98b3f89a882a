-- What staff look through by day, or newest first. Rows enter these indexes when they end or are filed, so that a booking pays nothing for them.
CREATE INDEX ix_ended_appointment_start ON appointment (start_at, id) WHERE status IN ('CANCELLED', 'EXPIRED', 'PAST');
CREATE INDEX ix_expired_hold ON appointment (id) WHERE status = 'EXPIRED';
