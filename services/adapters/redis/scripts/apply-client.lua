-- A client, if it is newer than the one kept. KEYS: client. ARGV: version, then field, value, …
local version = tonumber(redis.call('HGET', KEYS[1], 'version') or 0)
if tonumber(ARGV[1]) <= version then return 0 end
redis.call('HSET', KEYS[1], 'version', ARGV[1], unpack(ARGV, 2))
return 1
