-- Entries in one step. KEYS: entries. ARGV: '1' to test the ready marks, then per entry -1 for the
-- whole of it, or how many fields of it are asked for, and these.
-- Answers the clock in ms, then per entry whether its shard was rebuilt recently, and its fields.
local at = 2

-- Names and values of what is asked for of an entry, the version included.
local function fields_of(key)
  local asked, first = tonumber(ARGV[at]), at + 1
  if asked == -1 then
    at = first
    return redis.call('HGETALL', key)
  end
  at = first + asked
  local values = redis.call('HMGET', key, 'v', unpack(ARGV, first, at - 1))
  local flat = {}
  for i = 1, #values do
    if values[i] then
      flat[#flat + 1] = i == 1 and 'v' or ARGV[first + i - 2]
      flat[#flat + 1] = values[i]
    end
  end
  return flat
end

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
  answer[i + 1] = { rebuilt[tag], fields_of(KEYS[i]) }
end
return answer
