-- A transport order, and whether somebody decides about it now. KEYS: authorization.
if redis.call('EXISTS', string.sub(KEYS[1], 1, 5) .. ':ready') == 0 then
  return redis.error_reply('NOTREADY rebuilding')
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local order = redis.call('HGETALL', KEYS[1])
local claim = redis.call('HMGET', KEYS[1], 'pending', 'pending_until_ms')
local is_claimed = claim[1] and tonumber(claim[2]) > now
return { is_claimed and 1 or 0, order }
