-- Keys of personal data, and with an offer the first key of a subject that has none.
-- KEYS: subjects. ARGV: 'find', 'offer' or 'confirm', then per subject: key id, wrapped key, at_ms.
-- Answers per subject: {'erased'}, {'none'}, {'offered', id, wrapped} or {'keys', current, id,
-- wrapped, …}.
local STRIDE = 3

local function keys_of(key)
  local answer = { 'keys', redis.call('HGET', key, 'current') }
  local flat = redis.call('HGETALL', key)
  for i = 1, #flat, 2 do
    if string.sub(flat[i], 1, 2) == 'k:' then
      answer[#answer + 1] = string.sub(flat[i], 3)
      answer[#answer + 1] = flat[i + 1]
    end
  end
  return answer
end

local answers = {}
for i = 1, #KEYS do
  local key, at = KEYS[i], 2 + (i - 1) * STRIDE
  if redis.call('EXISTS', string.sub(key, 1, 5) .. ':ready') == 0 then
    return redis.error_reply('NOTREADY rebuilding')
  end
  local kept = redis.call('HMGET', key, 'erased', 'current', 'offer_id', 'offer')
  if kept[1] then
    answers[i] = { 'erased' }
  elseif ARGV[1] == 'confirm' then
    redis.call('HSET', key, 'k:' .. ARGV[at], ARGV[at + 1])
    if not kept[2] then
      redis.call('HSET', key, 'current', ARGV[at], 'current_at_ms', ARGV[at + 2])
    end
    redis.call('HDEL', key, 'offer_id', 'offer')
    answers[i] = keys_of(key)
  elseif kept[2] then
    answers[i] = keys_of(key)
  elseif ARGV[1] == 'find' then
    answers[i] = { 'none' }
  elseif kept[3] then
    answers[i] = { 'offered', kept[3], kept[4] }
  else
    redis.call('HSET', key, 'offer_id', ARGV[at], 'offer', ARGV[at + 1])
    answers[i] = { 'offered', ARGV[at], ARGV[at + 1] }
  end
end
return answers
