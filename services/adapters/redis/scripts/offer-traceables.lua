-- Last positions of traceables. KEYS: position of each offer.
-- ARGV per offer: timestamp, topic id, offset, fix as JSON.
local moved = 0
for i = 1, #KEYS do
  local at = 1 + (i - 1) * 4
  local kept = redis.call('HMGET', KEYS[i], 'timestamp', 'topic_id', 'offset')
  if newer(kept, ARGV[at], ARGV[at + 1], ARGV[at + 2]) then
    redis.call('HSET', KEYS[i], 'timestamp', ARGV[at], 'topic_id', ARGV[at + 1],
      'offset', ARGV[at + 2], 'fix', ARGV[at + 3])
    moved = moved + 1
  end
end
return moved
