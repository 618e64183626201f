-- Claims the next generation of an entity. The lease beside it is what a wipe takes as well, so that
-- whoever confirms knows whether the claim was still there.
-- KEYS: entity by its keyed hash, and by the digest that older versions know it by.
-- ARGV: claim id, generation, lease in ms.
local tag = string.sub(KEYS[1], 1, 5)
if redis.call('EXISTS', tag .. ':ready') == 0 then return redis.error_reply('NOTREADY rebuilding') end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local entity = redis.call(
  'HMGET', KEYS[1], 'generation', 'device_id', 'pending', 'pending_until_ms')
local before = redis.call(
  'HMGET', KEYS[2], 'generation', 'device_id', 'pending', 'pending_until_ms')
if tonumber(before[1] or 0) > tonumber(entity[1] or 0) then
  entity[1], entity[2] = before[1], before[2]
end
if before[3] and before[3] ~= ARGV[1] and tonumber(before[4]) > now then return 'busy' end
if tonumber(entity[1] or 0) ~= tonumber(ARGV[2]) - 1 then return 'moved' end
if entity[1] then
  local device = redis.call('HMGET', tag .. ':device:' .. entity[2], 'epoch', 'stop_from')
  -- A stop that is not in the log yet has not happened: whoever asked for it will ask again.
  if device[2] then return 'busy' end
  if device[1] ~= '3' then return 'moved' end
end
if entity[3] and entity[3] ~= ARGV[1] and tonumber(entity[4]) > now then return 'busy' end
redis.call('HSET', KEYS[1], 'pending', ARGV[1], 'pending_generation', ARGV[2],
  'pending_until_ms', string.format('%.0f', now + tonumber(ARGV[3])))
redis.call('SET', tag .. ':lease:claim:' .. ARGV[1], '1', 'PX', ARGV[3])
return 'taken'
