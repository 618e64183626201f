-- What came of a poll, if the feed is still known. KEYS: feed. ARGV: due in ms, failures, items.
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], 'due_ms', ARGV[1], 'failures', ARGV[2], 'items_max', ARGV[3])
return 1
