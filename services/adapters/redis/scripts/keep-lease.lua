-- Keeps a lease, or gives it back with 0 ms. Its fence stays, for the next owner to rise above.
-- KEYS: lease. ARGV: owner, lease in ms. Answers 0 when it was lost.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local lease = redis.call('HMGET', KEYS[1], 'owner', 'until_ms')
if lease[1] ~= ARGV[1] or tonumber(lease[2]) <= now then return 0 end
if tonumber(ARGV[2]) == 0 then
  redis.call('HSET', KEYS[1], 'owner', '', 'until_ms', '0')
else
  redis.call('HSET', KEYS[1], 'until_ms', string.format('%.0f', now + tonumber(ARGV[2])))
end
return 1
