-- May this be tried? KEYS[i] a counter, ARGV[i + 1] how many attempts it allows, ARGV[1] in how many milliseconds.
-- Every attempt counts, also one that is refused. Answers 0, or how many milliseconds to wait.
local longest = 0
for i = 1, #KEYS do
  local count = redis.call('INCR', KEYS[i])
  local left = redis.call('PTTL', KEYS[i])
  if left < 0 then -- new, or one that lost its expiry and would lock people out for ever
    redis.call('PEXPIRE', KEYS[i], ARGV[1])
    left = tonumber(ARGV[1])
  end
  if count > tonumber(ARGV[i + 1]) then
    longest = math.max(longest, left, 1)
  end
end
return longest
