-- Last positions of traceables; one that does not move any more goes after its time, because no
-- event reports the end of a traceable here. KEYS: position of each offer.
-- ARGV: milliseconds to keep, then per offer: timestamp, topic id, offset, fix as JSON.
local moved = 0
for i = 1, #KEYS do
  local at = 2 + (i - 1) * 4
  local kept = redis.call('HMGET', KEYS[i], 'timestamp', 'topic_id', 'offset')
  if newer(kept, ARGV[at], ARGV[at + 1], ARGV[at + 2]) then
    redis.call('HSET', KEYS[i], 'timestamp', ARGV[at], 'topic_id', ARGV[at + 1],
      'offset', ARGV[at + 2], 'fix', ARGV[at + 3])
    redis.call('PEXPIRE', KEYS[i], ARGV[1])
    moved = moved + 1
  end
end
return moved
