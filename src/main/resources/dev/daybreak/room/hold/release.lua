-- Ends a hold.
-- KEYS[1] the room's holds, [2] the hold, [3] how often its client held the room, [4..] its cells; ARGV[1] id, [2] hash of
-- the token, [3] now in milliseconds, [4] 1 if it became a reservation and so does not count. Answers 0 ended, 1 no such
-- hold, 2 another token.
local hold = redis.call('HMGET', KEYS[2], 'token', 'start', 'end', 'expires')
if not hold[1] then
  return 1
end
if hold[1] ~= ARGV[2] then
  return tonumber(hold[4]) > tonumber(ARGV[3]) and 2 or 1
end
for i = 4, #KEYS do
  local cell = redis.call('GET', KEYS[i])
  if cell and string.match(cell, '^%d+') == ARGV[1] then
    redis.call('DEL', KEYS[i])
  end
end
redis.call('DEL', KEYS[2])
redis.call('ZREM', KEYS[1], ARGV[1] .. ':' .. hold[2] .. ':' .. hold[3])
if ARGV[4] == '1' and tonumber(redis.call('GET', KEYS[3]) or 0) > 0 then
  redis.call('DECR', KEYS[3])
end
return tonumber(hold[4]) > tonumber(ARGV[3]) and 0 or 1
