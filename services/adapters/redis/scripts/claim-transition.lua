-- Claims the start or stop of a device. A stop denies in this very step: the rank that admission
-- sees becomes 3, and `stop_from` keeps the rank that the log knows until the stop is in the log.
-- KEYS: device. ARGV: claim id, epoch of the fact (2 or 3), rank decided on, client, lease in ms.
local tag = string.sub(KEYS[1], 1, 5)
if redis.call('EXISTS', tag .. ':ready') == 0 then return redis.error_reply('NOTREADY rebuilding') end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local device = redis.call('HMGET', KEYS[1],
  'epoch', 'owner', 'date_created_ms', 'stop_from', 'pending', 'pending_until_ms')
local epoch, stop_from = device[1], device[4]
if not device[3] or device[2] ~= ARGV[4] then return 'moved' end
if device[5] and device[5] ~= ARGV[1] and tonumber(device[6]) > now then return 'busy' end
if stop_from then
  if ARGV[2] ~= '3' then return 'busy' end
  if ARGV[3] ~= stop_from and ARGV[3] ~= '3' then return 'moved' end
elseif epoch ~= ARGV[3] or tonumber(ARGV[2]) <= tonumber(epoch) then
  return 'moved'
elseif ARGV[2] == '3' then
  redis.call('HSET', KEYS[1], 'epoch', '3', 'stop_from', epoch)
end
redis.call('HSET', KEYS[1], 'pending', ARGV[1], 'pending_epoch', ARGV[2],
  'pending_until_ms', string.format('%.0f', now + tonumber(ARGV[5])))
redis.call('SET', tag .. ':lease:claim:' .. ARGV[1], '1', 'PX', ARGV[5])
return 'taken'
