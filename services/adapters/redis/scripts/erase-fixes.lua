-- Forgets last positions received up to a time, and keeps that time, so that an offer of one that
-- was received before is not taken, whenever it comes.
-- KEYS: position of each device. ARGV per device: client, time of receipt in milliseconds.
for i = 1, #KEYS do
  local client, until_ms = ARGV[2 * i - 1], tonumber(ARGV[2 * i])
  local kept = redis.call('HMGET', KEYS[i], 'erased_ms', 'fix')
  if not kept[1] or tonumber(kept[1]) < until_ms then
    redis.call('HSET', KEYS[i], 'erased_ms', ARGV[2 * i])
  end
  if kept[2] and cjson.decode(kept[2]).received_at_ms <= until_ms then
    redis.call('HDEL', KEYS[i], 'timestamp', 'topic_id', 'offset', 'fix')
    redis.call('ZREM', string.sub(KEYS[i], 1, 5) .. ':fleet:' .. client, string.sub(KEYS[i], 16))
  end
end
return #KEYS
