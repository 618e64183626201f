-- Folds a fact into its device. Every field is a maximum or a minimum over the facts seen, so any
-- order and any repetition of them ends in the same hash.
-- A fact is flat: epoch, client_id, at_ms, user_id, entity digest, entity_type, entity_id,
-- generation, transport_id, specs, sealed members; '' for what a fact does not have.
local FACT = 11
local TIME_OF = { 'date_created_ms', 'started_at_ms', 'stopped_at_ms' }

local function drop_claim(key)
  redis.call('HDEL', key, 'pending', 'pending_until_ms', 'pending_epoch', 'pending_generation')
end

local function merge_entity(key, generation, device_id)
  local entity = redis.call('HMGET', key, 'generation', 'pending_generation')
  if tonumber(entity[1] or 0) < tonumber(generation) then
    redis.call('HSET', key, 'generation', generation, 'device_id', device_id)
  end
  if entity[2] and tonumber(entity[2]) <= tonumber(generation) then drop_claim(key) end
end

local function put(key, field, value)
  if value == '' then redis.call('HDEL', key, field) else redis.call('HSET', key, field, value) end
end

-- Two registrations of one device differ only when the first one's outcome was unknown to its
-- caller: the earlier one counts, and at one millisecond the smaller text.
local function merge_registration(key, a, i)
  local kept = redis.call('HMGET', key, 'date_created_ms', 'user_id', 'transport_id', 'specs',
    'personal')
  if kept[1] then
    local mine, theirs = tonumber(a[i + 2]), tonumber(kept[1])
    if mine > theirs then return end
    local sep = '\31'
    local text = table.concat({ a[i + 3], a[i + 8], a[i + 9], a[i + 10] }, sep)
    local other = table.concat({ kept[2], kept[3], kept[4], kept[5] or '' }, sep)
    if mine == theirs and text >= other then return end
  end
  redis.call('HSET', key, 'user_id', a[i + 3], 'entity_type', a[i + 5], 'generation', a[i + 7],
    'transport_id', a[i + 8], 'specs', a[i + 9])
  put(key, 'entity_id', a[i + 6])
  put(key, 'personal', a[i + 10])
end

local function merge_device(key, a, i)
  local epoch, time = a[i], TIME_OF[tonumber(a[i])]
  if epoch == '1' then
    merge_registration(key, a, i)
    local tag, id = string.sub(key, 1, 5), string.sub(key, 14)
    merge_entity(tag .. ':entity:' .. a[i + 1] .. ':' .. a[i + 4], a[i + 7], id)
  end
  local kept = redis.call('HMGET', key, 'epoch', time, 'stop_from', 'pending_epoch')
  if not kept[1] then redis.call('HSET', key, 'owner', a[i + 1]) end
  if not kept[1] or kept[1] < epoch then redis.call('HSET', key, 'epoch', epoch) end
  if not kept[2] or tonumber(a[i + 2]) < tonumber(kept[2]) then
    redis.call('HSET', key, time, a[i + 2])
  end
  if kept[3] then
    if epoch == '3' then redis.call('HDEL', key, 'stop_from')
    elseif kept[3] < epoch then redis.call('HSET', key, 'stop_from', epoch) end
  end
  if kept[4] and kept[4] <= epoch then drop_claim(key) end
  if epoch == '3' then
    redis.call('ZREM', string.sub(key, 1, 5) .. ':fleet:' .. a[i + 1], string.sub(key, 14))
  end
end
