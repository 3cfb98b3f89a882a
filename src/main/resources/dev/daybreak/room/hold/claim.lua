-- Asks, for a reservation about to be made, whether somebody else holds a cell of its range; if nobody does, nobody can from
-- now on until the claim is let go. Claims are in nobody's way among themselves: the database decides between them.
-- KEYS[1] the ranges that are being reserved, [2] the hold it may use, [3..] the cells; ARGV[1] id of that hold, [2] hash of
-- its token, [3] now in milliseconds, [4] start and [5] end in seconds, [6] the claim's own mark, [7] its life in
-- milliseconds. Answers 1 if the range is held, 0 if it is not.
local own = redis.call('HGET', KEYS[2], 'token') == ARGV[2] and ARGV[1] or ''
local now = tonumber(ARGV[3])
for i = 3, #KEYS do
  local cell = redis.call('GET', KEYS[i])
  if cell then
    local holder, till = string.match(cell, '^(%d+):(%d+)$')
    if holder ~= own and tonumber(till) > now then
      return 1
    end
  end
end
redis.call('ZADD', KEYS[1], now + tonumber(ARGV[7]), ARGV[4] .. ':' .. ARGV[5] .. ':' .. ARGV[6])
redis.call('PEXPIRE', KEYS[1], ARGV[7])
return 0
