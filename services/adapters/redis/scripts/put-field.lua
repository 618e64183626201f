-- One field of a hash. KEYS: hash. ARGV: field, value.
return redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
