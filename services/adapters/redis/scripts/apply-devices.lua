-- Facts from the log, or one confirmed fact. KEYS: device of each fact.
-- ARGV: '1' to test the ready marks, then per fact: the fact, topic id, offset; of a confirmed one ''
-- and its claim. Answers how many of the claims that are confirmed were still there.
local STRIDE = FACT + 2

local function above(a, b)
  if #a ~= #b then return #a > #b end
  return a > b
end

if ARGV[1] == '1' then
  for i = 1, #KEYS do
    local mark = string.sub(KEYS[i], 1, 5) .. ':ready'
    if redis.call('EXISTS', mark) == 0 then return redis.error_reply('NOTREADY rebuilding') end
  end
end
local held = 0
for i = 1, #KEYS do
  local at = 2 + (i - 1) * STRIDE
  merge_device(KEYS[i], ARGV, at)
  local topic_id, offset = ARGV[at + FACT], ARGV[at + FACT + 1]
  if topic_id == '' then
    held = held + redis.call('DEL', string.sub(KEYS[i], 1, 5) .. ':lease:claim:' .. offset)
  else
    -- The newest place in the log is kept as evidence. It does not decide: during a rebuild the
    -- keeper applies new facts before the rebuild gets to the old ones, and both must count.
    local kept = redis.call('HGET', KEYS[i], 'o:' .. topic_id)
    if not kept or above(offset, kept) then
      redis.call('HSET', KEYS[i], 'o:' .. topic_id, offset)
    end
  end
end
return held
