-- The newest start or stop of a transport at a provider, by its place in the log. A topic made anew
-- begins anew. KEYS: monitoring. ARGV: topic id, offset, command, command id.
local kept = redis.call('HMGET', KEYS[1], 'topic_id', 'offset')
if kept[1] == ARGV[1] then
  local new, old = ARGV[2], kept[2]
  if #new < #old or (#new == #old and new <= old) then return 0 end
end
return redis.call('HSET', KEYS[1],
  'topic_id', ARGV[1], 'offset', ARGV[2], 'command', ARGV[3], 'command_id', ARGV[4])
