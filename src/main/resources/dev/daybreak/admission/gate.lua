-- For each request: may this patient try, and is this slot known to be full?
-- KEYS[2i-1] the patient's counter, KEYS[2i] the slot's mark; ARGV[1] attempts allowed, ARGV[2] in how many milliseconds,
-- ARGV[2i+1] the request's idempotency key, ARGV[2i+2] what the mark calls its patient if they hold a seat. Answers for each: 0 go on, -1 full, more than 0 wait so many milliseconds.
local attempts, window = tonumber(ARGV[1]), ARGV[2]
local answers = {}
for i = 1, #KEYS / 2 do
  local counter, mark = KEYS[2 * i - 1], KEYS[2 * i]
  local count = redis.call('INCR', counter)
  if count == 1 then
    redis.call('PEXPIRE', counter, window)
  end
  local wait = 0
  if count > attempts then
    wait = redis.call('PTTL', counter)
    if wait < 0 then -- a counter that lost its expiry would lock the patient out for ever
      redis.call('SET', counter, 1, 'PX', window)
      wait = 0
    end
  end
  if wait > 0 then
    answers[i] = wait
  elseif redis.call('EXISTS', mark) == 1 and redis.call('SISMEMBER', mark, ARGV[2 * i + 1]) == 0
      and redis.call('SISMEMBER', mark, ARGV[2 * i + 2]) == 0 then
    answers[i] = -1
  else
    answers[i] = 0
  end
end
return answers
