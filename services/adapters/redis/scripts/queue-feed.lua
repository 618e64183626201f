-- Makes a feed due unless it is in the queue, and drops what was left there unasked for too long.
-- KEYS: queue. ARGV: tracking number, due in ms, everything due before this is dropped.
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', '(' .. ARGV[3])
return redis.call('ZADD', KEYS[1], 'NX', ARGV[2], ARGV[1])
