-- Folds a fact into its transport order: the highest rank, and of one rank what the log has first, so
-- that any order and repetition ends in the same hash. A fact that is confirmed has no place yet, and
-- counts only while its claim is held: a wipe takes the lease of the claim, and for a while after a
-- rebuild only the log tells which of two facts came first.
-- KEYS: authorization. ARGV: '1' to test the ready mark, rank, the claim of a fact that is confirmed,
-- else '' and topic id and offset, then field, value, … Answers 0 for a claim that is not held.
local tag = string.sub(KEYS[1], 1, 5)
if ARGV[1] == '1' and redis.call('EXISTS', tag .. ':ready') == 0 then
  return redis.error_reply('NOTREADY rebuilding')
end
local rank, claim, topic_id, offset = tonumber(ARGV[2]), ARGV[3], ARGV[4], ARGV[5]
if claim ~= '' then
  if redis.call('DEL', tag .. ':lease:claim:' .. claim) == 0 then return 0 end
  if redis.call('EXISTS', tag .. ':rebuilt') == 1 then return 0 end
end
local kept = redis.call('HMGET', KEYS[1], 'rank', 'o:topic', 'o:first', 'pending', 'pending_rank',
  'cancellation', 'pending_marks_rank')
local old_rank = tonumber(kept[1] or 0)
local is_first = rank == old_rank and offset ~= '' and (not kept[3]
  or (kept[2] == topic_id and tonumber(offset) < tonumber(kept[3])))
if rank > old_rank or is_first then
  redis.call('HSET', KEYS[1], 'rank', ARGV[2], unpack(ARGV, 6))
  if offset == '' then redis.call('HDEL', KEYS[1], 'o:topic', 'o:first')
  else redis.call('HSET', KEYS[1], 'o:topic', topic_id, 'o:first', offset) end
end
if kept[5] and tonumber(kept[5]) <= rank then
  redis.call('DEL', tag .. ':lease:claim:' .. kept[4])
  redis.call('HDEL', KEYS[1], 'pending', 'pending_rank', 'pending_until_ms')
end
if kept[7] and tonumber(kept[7]) <= rank then
  redis.call('HDEL', KEYS[1],
    'pending_marks_rank', 'pending_marks_by', 'pending_at_ms', 'pending_test')
end
-- A denial is of the rank above the one that the log knows; it goes when the log has come there.
if kept[6] and rank > old_rank then redis.call('HDEL', KEYS[1], 'cancellation') end
return 1
