-- May one more password be tried? Counts it if so. KEYS counters of wrong passwords; ARGV[1] in how many milliseconds they are
-- counted together, ARGV[i+1] how many are allowed by KEYS[i]. Answers 0 go on, more than 0 wait so many milliseconds.
local window = ARGV[1]
for i, counter in ipairs(KEYS) do
  local count = redis.call('INCR', counter)
  if count == 1 then
    redis.call('PEXPIRE', counter, window)
  end
  if count > tonumber(ARGV[i + 1]) then
    local wait = redis.call('PTTL', counter)
    if wait > 0 then
      for j = 1, i do
        redis.call('DECR', KEYS[j])
      end
      return wait
    end
    redis.call('SET', counter, 1, 'PX', window) -- one that lost its expiry would lock people out for ever
  end
end
return 0
