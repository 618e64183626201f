-- Forgets a batch in every partition that still names this very batch.
-- KEYS: pending inserts of a group. ARGV: the batch as text, then its partitions.
local cleared = 0
for i = 2, #ARGV do
  if redis.call('HGET', KEYS[1], ARGV[i]) == ARGV[1] then
    cleared = cleared + redis.call('HDEL', KEYS[1], ARGV[i])
  end
end
return cleared
