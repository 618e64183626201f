-- What came of a command, if it counts before what is kept: an end before a retry, then a higher
-- fence, then a later attempt. KEYS: command.
-- ARGV: 1 for an end, fence, attempt, end of its life in ms, the result.
local kept = redis.call('HMGET', KEYS[1], 'final', 'fence', 'attempt')
if kept[1] then
  for i = 1, 3 do
    local new, old = tonumber(ARGV[i]), tonumber(kept[i])
    if new < old then return 0 end
    if new > old then break end
    if i == 3 then return 0 end
  end
end
redis.call('HSET', KEYS[1], 'final', ARGV[1], 'fence', ARGV[2], 'attempt', ARGV[3], 'result', ARGV[5])
redis.call('PEXPIREAT', KEYS[1], ARGV[4])
return 1
