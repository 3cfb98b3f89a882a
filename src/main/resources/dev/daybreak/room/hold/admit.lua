-- Counts a hold among those a client has at the same time. May be repeated.
-- KEYS[1] the client's holds; ARGV[1] the hold, [2] now and [3] its expiry in milliseconds, [4] how many are allowed. Answers
-- 0, or how many milliseconds until the first of them expires.
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[2])
if not redis.call('ZSCORE', KEYS[1], ARGV[1]) and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[4]) then
  local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
  return math.max(1, tonumber(first[2]) - tonumber(ARGV[2]))
end
redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
redis.call('PEXPIRE', KEYS[1], math.max(tonumber(ARGV[3]) - tonumber(ARGV[2]), redis.call('PTTL', KEYS[1])))
return 0
