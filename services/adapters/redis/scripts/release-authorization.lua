-- Gives a claim back, if it is still the caller's. What was denied stays denied, and so do the marks of
-- a caller before, whose fact may still come into the log.
-- KEYS: authorization. ARGV: claim id.
local tag = string.sub(KEYS[1], 1, 5)
if redis.call('EXISTS', tag .. ':ready') == 0 then return redis.error_reply('NOTREADY rebuilding') end
redis.call('DEL', tag .. ':lease:claim:' .. ARGV[1])
local order = redis.call('HMGET', KEYS[1], 'pending', 'pending_marks_by')
if order[1] ~= ARGV[1] then return 0 end
if order[2] == ARGV[1] then
  redis.call('HDEL', KEYS[1],
    'pending_marks_rank', 'pending_marks_by', 'pending_at_ms', 'pending_test')
end
return redis.call('HDEL', KEYS[1], 'pending', 'pending_rank', 'pending_until_ms')
