-- Facts about keys of personal data, in any order with the same outcome: erased stays erased, and
-- of two keys the earlier one is current (by time, then by id).
-- KEYS: subject of each fact. ARGV per fact: 'recorded', 'dropped' or 'erased', key id or '',
-- wrapped key or '', at_ms.
-- Answers per fact the ids of keys that the subject still has although it is erased.
local STRIDE = 4

local function earlier(at, id, other_at, other)
  if not other then return true end
  if tonumber(at) ~= tonumber(other_at) then return tonumber(at) < tonumber(other_at) end
  return id < other
end

local answers = {}
for i = 1, #KEYS do
  local key, at = KEYS[i], 1 + (i - 1) * STRIDE
  local kind, id, wrapped, at_ms = ARGV[at], ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]
  local left = {}
  if kind == 'erased' then
    redis.call('HSETNX', key, 'erased', at_ms)
    redis.call('HDEL', key, 'current', 'current_at_ms', 'offer_id', 'offer')
  elseif kind == 'dropped' then
    redis.call('HDEL', key, 'k:' .. id)
    redis.call('HSET', key, 'd:' .. id, '1')
  elseif redis.call('HEXISTS', key, 'd:' .. id) == 0 then
    redis.call('HSET', key, 'k:' .. id, wrapped)
    if redis.call('HEXISTS', key, 'erased') == 0 then
      local kept = redis.call('HMGET', key, 'current', 'current_at_ms')
      if earlier(at_ms, id, kept[2], kept[1]) then
        redis.call('HSET', key, 'current', id, 'current_at_ms', at_ms)
      end
    end
  end
  if redis.call('HEXISTS', key, 'erased') == 1 then
    local fields = redis.call('HKEYS', key)
    for j = 1, #fields do
      if string.sub(fields[j], 1, 2) == 'k:' then left[#left + 1] = string.sub(fields[j], 3) end
    end
  end
  answers[i] = left
end
return answers
