-- Takes back the claim that was made first on a range; which of them does not matter.
-- KEYS[1] the ranges that are being reserved; ARGV[1] start and [2] end in seconds.
local range = ARGV[1] .. ':' .. ARGV[2] .. ':'
for _, claim in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  if string.sub(claim, 1, #range) == range then
    return redis.call('ZREM', KEYS[1], claim)
  end
end
return 0
