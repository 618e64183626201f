-- Last positions of devices.
-- The one that wins also moves its device in the client's fleet, unless the device is stopped: then
-- apply-devices took it out, or will when the stop comes first to the log.
-- KEYS: position of each offer.
-- ARGV: how long a position is kept after it last moved, in ms, then per offer: timestamp, topic id,
-- offset, fix as JSON, client, longitude, latitude, time of receipt. What was received before an
-- erasure (erase-fixes) is not taken.
local function move_in_fleet(key, client, longitude, latitude)
  local tag, device_id = string.sub(key, 1, 5), string.sub(key, 16)
  local device = redis.call('HMGET', tag .. ':device:' .. device_id, 'epoch', 'stop_from')
  if device[1] == '3' and not device[2] then return end
  redis.call('GEOADD', tag .. ':fleet:' .. client, longitude, latitude, device_id)
end

local moved = 0
for i = 1, #KEYS do
  local at = 2 + (i - 1) * 8
  local kept = redis.call('HMGET', KEYS[i], 'timestamp', 'topic_id', 'offset', 'erased_ms')
  local is_erased = kept[4] and tonumber(ARGV[at + 7]) <= tonumber(kept[4])
  if not is_erased and newer(kept, ARGV[at], ARGV[at + 1], ARGV[at + 2]) then
    redis.call('HSET', KEYS[i], 'timestamp', ARGV[at], 'topic_id', ARGV[at + 1],
      'offset', ARGV[at + 2], 'fix', ARGV[at + 3])
    redis.call('PEXPIRE', KEYS[i], ARGV[1])
    move_in_fleet(KEYS[i], ARGV[at + 4], ARGV[at + 5], ARGV[at + 6])
    moved = moved + 1
  end
end
return moved
