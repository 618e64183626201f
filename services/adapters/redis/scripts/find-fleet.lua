-- Candidates of one page, in the order of the index; the caller checks where they truly are.
-- KEYS: ready mark, mark of completeness, fleet.
-- ARGV: members looked at in all, score and device after which to begin ('' and '' at the start),
-- then least and most score of each interval, in order.
-- Answers: score and device looked at last ('' and '' at the end), then the fixes as JSON.
if redis.call('EXISTS', KEYS[1]) == 0 then return redis.error_reply('NOTREADY rebuilding') end
if redis.call('GET', KEYS[2]) ~= redis.call('GET', KEYS[1]) then
  return redis.error_reply('NOTREADY positions follow')
end

local tag = string.sub(KEYS[1], 1, 5)
local left, after_score, after_device = tonumber(ARGV[1]), ARGV[2], ARGV[3]
local fixes = { '', '' }

-- The rank from which to go on: behind the device of the cursor, or where it would stand if it has
-- moved meanwhile. Devices at one score lie in the order of their ids.
local function rank_after()
  if after_score == '' then return 0 end
  local rank = redis.call('ZCOUNT', KEYS[3], '-inf', '(' .. after_score)
  local own = redis.call('ZSCORE', KEYS[3], after_device)
  if own and string.format('%.0f', own) == after_score then
    return redis.call('ZRANK', KEYS[3], after_device) + 1
  end
  return rank
end

local function fix_of(device_id)
  local device = redis.call('HMGET', tag .. ':device:' .. device_id, 'epoch', 'stop_from')
  if device[1] == '3' and not device[2] then return nil end
  return redis.call('HGET', tag .. ':last-fix:' .. device_id, 'fix')
end

local begin = rank_after()
for i = 4, #ARGV, 2 do
  local first = math.max(begin, redis.call('ZCOUNT', KEYS[3], '-inf', '(' .. ARGV[i]))
  local last = redis.call('ZCOUNT', KEYS[3], '-inf', ARGV[i + 1]) - 1
  if first <= last then
    local found = redis.call('ZRANGE', KEYS[3], first, math.min(last, first + left - 1), 'WITHSCORES')
    for j = 1, #found, 2 do
      local fix = fix_of(found[j])
      if fix then fixes[#fixes + 1] = fix end
      left = left - 1
      if left == 0 then
        fixes[1], fixes[2] = string.format('%.0f', found[j + 1]), found[j]
        return fixes
      end
    end
  end
end
return fixes
