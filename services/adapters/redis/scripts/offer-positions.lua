-- Last positions: the newest by the fix's own time wins, then the later in the log.
-- KEYS: position of each offer. ARGV per offer: timestamp, topic id, offset, fix as JSON.
local function above(a, b)
  if #a ~= #b then return #a > #b end
  return a > b
end

local function newer(kept, timestamp, topic_id, offset)
  if not kept[1] then return true end
  local mine, theirs = tonumber(timestamp), tonumber(kept[1])
  if mine ~= theirs then return mine > theirs end
  if topic_id ~= kept[2] then return topic_id > kept[2] end
  return above(offset, kept[3])
end

local moved = 0
for i = 1, #KEYS do
  local at = 1 + (i - 1) * 4
  local kept = redis.call('HMGET', KEYS[i], 'timestamp', 'topic_id', 'offset')
  if newer(kept, ARGV[at], ARGV[at + 1], ARGV[at + 2]) then
    redis.call('HSET', KEYS[i], 'timestamp', ARGV[at], 'topic_id', ARGV[at + 1],
      'offset', ARGV[at + 2], 'fix', ARGV[at + 3])
    moved = moved + 1
  end
end
return moved
