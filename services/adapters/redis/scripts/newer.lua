-- Which of two last positions is newer: by the fix's own time, then by its place in the log.
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
