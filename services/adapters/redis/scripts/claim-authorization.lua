-- Claims the next step of a transport order. A cancellation denies in this very step: whoever looks
-- sees `cancellation` from now on. The marks of a step stay until the log has come there, because the
-- fact of an expired claim may still get into the log: whoever takes the step over, and be it after
-- a lower step, gives the same answer. The lease beside the claim is what a wipe takes as well, so
-- that whoever confirms knows whether the claim was still there.
-- KEYS: authorization. ARGV: claim id, rank decided on, rank of the fact, lease in ms, at_ms,
-- '1' for a test, the cancellation as JSON or ''.
local tag = string.sub(KEYS[1], 1, 5)
if redis.call('EXISTS', tag .. ':ready') == 0 then return redis.error_reply('NOTREADY rebuilding') end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local order = redis.call('HMGET', KEYS[1], 'rank', 'pending', 'pending_until_ms', 'cancellation',
  'pending_marks_rank', 'pending_at_ms', 'pending_test')
if (order[1] or '0') ~= ARGV[2] then return { 'moved' } end
if order[2] and order[2] ~= ARGV[1] and tonumber(order[3]) > now then return { 'busy' } end
if ARGV[7] ~= '' then
  if order[4] and order[4] ~= ARGV[7] then return { 'moved' } end
  redis.call('HSET', KEYS[1], 'cancellation', ARGV[7])
elseif order[4] and tonumber(ARGV[3]) <= tonumber(ARGV[2]) + 1 then
  return { 'moved' }
end
local at_ms, test = ARGV[5], ARGV[6]
if order[5] == ARGV[3] then
  at_ms, test = order[6], order[7]
elseif not order[5] or tonumber(order[5]) < tonumber(ARGV[3]) then
  redis.call('HSET', KEYS[1], 'pending_marks_rank', ARGV[3], 'pending_marks_by', ARGV[1],
    'pending_at_ms', at_ms, 'pending_test', test)
end
redis.call('HSET', KEYS[1], 'pending', ARGV[1], 'pending_rank', ARGV[3],
  'pending_until_ms', string.format('%.0f', now + tonumber(ARGV[4])))
redis.call('SET', tag .. ':lease:claim:' .. ARGV[1], '1', 'PX', ARGV[4])
return { 'taken', at_ms, test }
