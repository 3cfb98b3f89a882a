-- The password was right: what attempt.lua has counted for it was no wrong one.
for i, counter in ipairs(KEYS) do
  if tonumber(redis.call('GET', counter) or '0') > 0 then
    redis.call('DECR', counter)
  end
end
return 0
