-- When a call is due. KEYS: queue. ARGV: call, due in ms or '' for never, '1' to keep what is there.
if ARGV[2] == '' then return redis.call('ZREM', KEYS[1], ARGV[1]) end
if ARGV[3] == '1' then return redis.call('ZADD', KEYS[1], 'NX', ARGV[2], ARGV[1]) end
return redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
