-- Members of sorted sets behind a member that was seen before. KEYS: sorted sets.
-- ARGV: order ('rising' or 'falling'), least and most score, score and member seen last ('' and ''
-- at the start), most members of each set.
-- Answers per set its members with their scores. A set without the member begins at its score, with
-- so many more; the caller leaves out what it has seen.
local is_falling = ARGV[1] == 'falling'
local after_score, after_member = ARGV[4], ARGV[5]

-- The rank in the order asked for from which to go on, and how many may be seen already.
local function rank_after(key)
  if after_score == '' then return 0, 0 end
  local own = redis.call('ZSCORE', key, after_member)
  if own and string.format('%.0f', own) == after_score then
    return redis.call(is_falling and 'ZREVRANK' or 'ZRANK', key, after_member) + 1, 0
  end
  local seen = redis.call('ZCOUNT', key, after_score, after_score)
  if is_falling then return redis.call('ZCOUNT', key, '(' .. after_score, '+inf'), seen end
  return redis.call('ZCOUNT', key, '-inf', '(' .. after_score), seen
end

-- The rank at which the bounds begin, and the one behind their end.
local function bounds(key)
  local size = redis.call('ZCARD', key)
  local below = redis.call('ZCOUNT', key, '-inf', '(' .. ARGV[2])
  local above = redis.call('ZCOUNT', key, '(' .. ARGV[3], '+inf')
  if is_falling then return above, size - below end
  return below, size - above
end

local answer = {}
for i = 1, #KEYS do
  if redis.call('EXISTS', string.sub(KEYS[i], 1, 5) .. ':ready') == 0 then
    return redis.error_reply('NOTREADY rebuilding')
  end
  local first, behind = bounds(KEYS[i])
  local after, seen = rank_after(KEYS[i])
  first = math.max(first, after)
  local last = math.min(behind, first + tonumber(ARGV[6]) + seen) - 1
  answer[i] = {}
  if first <= last then
    answer[i] = redis.call(is_falling and 'ZREVRANGE' or 'ZRANGE', KEYS[i], first, last, 'WITHSCORES')
  end
end
return answer
