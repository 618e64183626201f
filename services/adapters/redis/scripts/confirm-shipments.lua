-- Makes a client the carrier of shipments that are reserved for it. KEYS: shipments. ARGV: client.
-- Answers 'owned', 'foreign' for one that is another's, or 'unknown' for one whose reservation was
-- lost, or followed one that lapsed, or that a rebuild may have forgotten: the log will tell.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local client, answer = ARGV[1], 'owned'

for i = 1, #KEYS do
  local tag = string.sub(KEYS[i], 1, 5)
  if redis.call('EXISTS', tag .. ':ready') == 0 then
    return redis.error_reply('NOTREADY rebuilding')
  end
end
for i = 1, #KEYS do
  local kept = redis.call('HMGET', KEYS[i], 'authorized', 'carrier', 'reserved',
    'reserved_until_ms', 'reserved_after')
  local owner = kept[1] or kept[2]
  if owner then
    if owner ~= client then answer = 'foreign' end
  elseif kept[3] ~= client or tonumber(kept[4]) <= now or kept[5]
      or redis.call('EXISTS', string.sub(KEYS[i], 1, 5) .. ':rebuilt') == 1 then
    if answer == 'owned' then answer = 'unknown' end
  else
    redis.call('HSET', KEYS[i], 'carrier', client)
    redis.call('HDEL', KEYS[i], 'reserved', 'reserved_until_ms')
  end
end
return answer
