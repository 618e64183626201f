-- A lease with a fence that rises with every owner. KEYS: lease. ARGV: owner, lease in ms, a fence
-- that the new one must be above. Answers the fence, or 0 while somebody else has the lease.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local lease = redis.call('HMGET', KEYS[1], 'owner', 'fence', 'until_ms')
local fence = tonumber(lease[2] or 0)
local is_free = not lease[1] or lease[1] == '' or tonumber(lease[3]) <= now
if not is_free and lease[1] ~= ARGV[1] then return 0 end
if is_free or lease[1] ~= ARGV[1] or fence <= tonumber(ARGV[3]) then
  fence = math.max(fence, tonumber(ARGV[3])) + 1
end
redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'fence', string.format('%.0f', fence),
  'until_ms', string.format('%.0f', now + tonumber(ARGV[2])))
return fence
