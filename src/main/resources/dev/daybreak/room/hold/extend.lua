-- Lets a hold last longer, all of its cells or none.
-- KEYS[1] the room's holds, [2] the hold, [3..] its cells; ARGV[1] id, [2] hash of the token, [3] now, [4] until when, and
-- [5] for how long after it was made at most, all in milliseconds. Answers 0 and the expiry; 1 no such hold; 2 another
-- token; 3 and the expiry, which cannot be later.
local hold = redis.call('HMGET', KEYS[2], 'token', 'start', 'end', 'created', 'expires')
local now = tonumber(ARGV[3])
if not hold[1] or tonumber(hold[5]) <= now then
  return {1, 0}
end
if hold[1] ~= ARGV[2] then
  return {2, 0}
end
local expires, limit = tonumber(hold[5]), tonumber(hold[4]) + tonumber(ARGV[5])
if expires >= limit then
  return {3, expires}
end
expires = math.max(expires, math.min(tonumber(ARGV[4]), limit))
local life, value = expires - now, ARGV[1] .. ':' .. string.format('%.0f', expires)
for i = 3, #KEYS do
  local cell = redis.call('GET', KEYS[i])
  if cell then
    local holder, till = string.match(cell, '^(%d+):(%d+)$')
    if holder ~= ARGV[1] and tonumber(till) > now then
      return {1, 0} -- the cell was lost, and somebody else has it
    end
  end
end
for i = 3, #KEYS do
  redis.call('SET', KEYS[i], value, 'PX', life)
end
redis.call('HSET', KEYS[2], 'expires', string.format('%.0f', expires))
redis.call('PEXPIRE', KEYS[2], life)
redis.call('ZADD', KEYS[1], expires, ARGV[1] .. ':' .. hold[2] .. ':' .. hold[3])
redis.call('PEXPIRE', KEYS[1], math.max(life, redis.call('PTTL', KEYS[1])))
return {0, expires}
