-- Whole journeys; one that is there and reaches as far stays. Every journey is the whole fold of
-- its log up to its place, so the one that reaches further holds all that the other holds.
-- KEYS: shipments. ARGV per shipment: topic id, offset, carrier, journey as JSON.
local function above(a, b)
  if #a ~= #b then return #a > #b end
  return a > b
end

for i = 1, #KEYS do
  local at = 1 + (i - 1) * 4
  local kept = redis.call('HMGET', KEYS[i], 'topic_id', 'offset')
  if kept[1] ~= ARGV[at] or above(ARGV[at + 1], kept[2]) then
    redis.call('HSET', KEYS[i], 'topic_id', ARGV[at], 'offset', ARGV[at + 1],
      'carrier', ARGV[at + 2], 'journey', ARGV[at + 3])
    redis.call('HDEL', KEYS[i], 'reserved', 'reserved_until_ms', 'reserved_after')
  end
end
return #KEYS
