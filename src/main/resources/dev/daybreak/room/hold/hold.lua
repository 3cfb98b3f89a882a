-- Holds all cells of a range, or none. May be repeated: a hold of the same id is in nobody's way.
-- KEYS[1] the room's holds, [2] the ranges that are being reserved, [3] the hold, [4] how often this client held the room,
-- [5..] the cells; ARGV[1] id, [2] hash of the token, [3] start and [4] end in seconds, [5] now and [6] expiry in
-- milliseconds, [7] holds allowed, [8] in how many milliseconds, [9] the client. Answers 0 and the expiry; 1 and the expiry
-- of the hold in the way, or 0 if that is a reservation being made; 2 and how many milliseconds to wait.
local id, now, expires = ARGV[1], tonumber(ARGV[5]), tonumber(ARGV[6])
local life = expires - now
for i = 5, #KEYS do
  local cell = redis.call('GET', KEYS[i])
  if cell then
    local holder, till = string.match(cell, '^(%d+):(%d+)$')
    if holder ~= id and tonumber(till) > now then
      return {1, tonumber(till)}
    end
  end
end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
for _, claim in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do
  local from, to = string.match(claim, '^(-?%d+):(-?%d+):')
  if tonumber(from) < tonumber(ARGV[4]) and tonumber(to) > tonumber(ARGV[3]) then
    return {1, 0}
  end
end
if redis.call('EXISTS', KEYS[3]) == 0 then
  local count = tonumber(redis.call('GET', KEYS[4]) or 0)
  local wait = redis.call('PTTL', KEYS[4])
  if count >= tonumber(ARGV[7]) and wait > 0 then
    return {2, wait}
  end
  redis.call('INCR', KEYS[4])
  if wait < 0 then
    redis.call('SET', KEYS[4], 1, 'PX', ARGV[8])
  end
end
redis.call('HSET', KEYS[3], 'token', ARGV[2], 'start', ARGV[3], 'end', ARGV[4], 'created', now, 'expires', expires,
  'by', ARGV[9])
redis.call('PEXPIRE', KEYS[3], life)
for i = 5, #KEYS do
  redis.call('SET', KEYS[i], id .. ':' .. ARGV[6], 'PX', life)
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZADD', KEYS[1], expires, id .. ':' .. ARGV[3] .. ':' .. ARGV[4])
redis.call('PEXPIRE', KEYS[1], math.max(life, redis.call('PTTL', KEYS[1])))
return {0, expires}
