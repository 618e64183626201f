-- Whole entries in one step. KEYS: entries. ARGV: '1' to test the ready marks.
-- Answers the clock in ms, then per entry whether its shard was rebuilt recently, and its fields.
local ready, rebuilt = {}, {}
local time = redis.call('TIME')
local answer = { time[1] * 1000 + math.floor(time[2] / 1000) }
for i = 1, #KEYS do
  local tag = string.sub(KEYS[i], 1, 5)
  if not ready[tag] then
    if ARGV[1] == '1' and redis.call('EXISTS', tag .. ':ready') == 0 then
      return redis.error_reply('NOTREADY rebuilding')
    end
    ready[tag], rebuilt[tag] = true, redis.call('EXISTS', tag .. ':rebuilt')
  end
  answer[i + 1] = { rebuilt[tag], redis.call('HGETALL', KEYS[i]) }
end
return answer
