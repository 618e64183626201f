-- Claims the next step of a transport order. A cancellation denies in this very step: whoever looks
-- sees `cancellation` from now on. An expired claim of the same step leaves its marks behind, so
-- that whoever takes the step over gives the same answer.
-- KEYS: authorization. ARGV: claim id, rank decided on, rank of the fact, lease in ms, at_ms,
-- '1' for a test, the cancellation as JSON or ''.
local tag = string.sub(KEYS[1], 1, 5)
if redis.call('EXISTS', tag .. ':ready') == 0 then return redis.error_reply('NOTREADY rebuilding') end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local order = redis.call('HMGET', KEYS[1], 'rank', 'pending', 'pending_until_ms', 'pending_rank',
  'pending_at_ms', 'pending_test', 'cancellation')
if (order[1] or '0') ~= ARGV[2] then return { 'moved' } end
if order[2] and order[2] ~= ARGV[1] and tonumber(order[3]) > now then return { 'busy' } end
local at_ms, test = ARGV[5], ARGV[6]
if order[2] and order[4] == ARGV[3] then at_ms, test = order[5], order[6] end
if ARGV[7] ~= '' then
  if order[7] and order[7] ~= ARGV[7] then return { 'moved' } end
  redis.call('HSET', KEYS[1], 'cancellation', ARGV[7])
elseif order[7] and tonumber(ARGV[3]) <= tonumber(ARGV[2]) + 1 then
  return { 'moved' }
end
redis.call('HSET', KEYS[1], 'pending', ARGV[1], 'pending_rank', ARGV[3], 'pending_at_ms', at_ms,
  'pending_test', test, 'pending_until_ms', string.format('%.0f', now + tonumber(ARGV[4])))
return { 'taken', at_ms, test }
