-- Reserves shipments for a carrier until its notifications are durable; the first writer wins. A
-- reservation of another that lapsed is remembered: its notification may still come into the log.
-- KEYS: shipments. ARGV: client, lease in ms.
-- Answers 'owned', 'reserved', 'foreign' or 'busy'; the latter two reserve nothing.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local client = ARGV[1]
local free, busy = {}, false

for i = 1, #KEYS do
  local tag = string.sub(KEYS[i], 1, 5)
  if redis.call('EXISTS', tag .. ':ready') == 0 then
    return redis.error_reply('NOTREADY rebuilding')
  end
  local kept = redis.call(
    'HMGET', KEYS[i], 'authorized', 'carrier', 'reserved', 'reserved_until_ms')
  local owner = kept[1] or kept[2]
  if owner and owner ~= client then return 'foreign' end
  if not owner then
    if kept[3] and kept[3] ~= client and tonumber(kept[4]) > now then busy = true end
    free[#free + 1] = KEYS[i]
  end
end
if busy then return 'busy' end
for i = 1, #free do
  local before = redis.call('HGET', free[i], 'reserved')
  if before and before ~= client then redis.call('HSET', free[i], 'reserved_after', before) end
  redis.call('HSET', free[i], 'reserved', client, 'reserved_until_ms',
    string.format('%.0f', now + tonumber(ARGV[2])))
end
return #free > 0 and 'reserved' or 'owned'
