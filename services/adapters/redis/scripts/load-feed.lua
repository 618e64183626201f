-- A feed and the last cancellation of its shipment. KEYS: ready mark, feed, cancellation.
if redis.call('EXISTS', KEYS[1]) == 0 then return redis.error_reply('NOTREADY rebuilding') end
return { redis.call('HGETALL', KEYS[2]), redis.call('GET', KEYS[3]) or '' }
