-- Marks a slot as full. KEYS[1] the mark; ARGV[1] its life in milliseconds, ARGV[2..] the idempotency keys of the slot's active
-- appointments, whose retries must still reach the database. A thousand at a time, below Lua's limit on arguments.
redis.call('DEL', KEYS[1])
for first = 2, #ARGV, 1000 do
  redis.call('SADD', KEYS[1], unpack(ARGV, first, math.min(first + 999, #ARGV)))
end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1
