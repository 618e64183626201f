-- Gives a claim back, if it is still the caller's. A denied device stays denied.
-- KEYS: device or entity. ARGV: claim id.
local tag = string.sub(KEYS[1], 1, 5)
if redis.call('EXISTS', tag .. ':ready') == 0 then return redis.error_reply('NOTREADY rebuilding') end
redis.call('DEL', tag .. ':lease:claim:' .. ARGV[1])
if redis.call('HGET', KEYS[1], 'pending') ~= ARGV[1] then return 0 end
return redis.call('HDEL', KEYS[1],
  'pending', 'pending_until_ms', 'pending_epoch', 'pending_generation')
