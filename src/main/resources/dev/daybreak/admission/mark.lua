-- Marks a slot as full, unless the announcement was withdrawn or replaced. KEYS[1] the mark, KEYS[2] the announcement; ARGV[1]
-- what was announced, ARGV[2] the life of the mark in milliseconds, ARGV[3..] the idempotency keys of the slot's active
-- appointments and the patients who hold a seat, whose requests must still reach the database.
if redis.call('GET', KEYS[2]) ~= ARGV[1] then
  return 0
end
redis.call('DEL', KEYS[1], KEYS[2])
redis.call('SADD', KEYS[1], unpack(ARGV, 3))
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
