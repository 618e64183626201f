-- Gives a claim back, if it is still the caller's. What was denied stays denied.
-- KEYS: authorization. ARGV: claim id.
local tag = string.sub(KEYS[1], 1, 5)
if redis.call('EXISTS', tag .. ':ready') == 0 then return redis.error_reply('NOTREADY rebuilding') end
if redis.call('HGET', KEYS[1], 'pending') ~= ARGV[1] then return 0 end
return redis.call('HDEL', KEYS[1],
  'pending', 'pending_rank', 'pending_at_ms', 'pending_test', 'pending_until_ms')
