-- A shipment was cancelled: the newest time counts. KEYS: cancellation. ARGV: time, end of its life.
local kept = redis.call('GET', KEYS[1])
if kept and tonumber(kept) >= tonumber(ARGV[1]) then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PXAT', ARGV[2])
return 1
