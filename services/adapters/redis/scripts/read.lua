-- A hash, or nothing, or that the shard is not ready. KEYS: ready mark, hash.
if redis.call('EXISTS', KEYS[1]) == 0 then return redis.error_reply('NOTREADY rebuilding') end
return redis.call('HGETALL', KEYS[2])
