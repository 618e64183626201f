-- Folds a fact into its transport order: the highest rank, then the earliest time, then the smaller
-- answer, so that any order and repetition ends in the same hash.
-- KEYS: authorization. ARGV: '1' to test the ready mark, rank, at_ms, answer, then field, value, …
if ARGV[1] == '1' and redis.call('EXISTS', string.sub(KEYS[1], 1, 5) .. ':ready') == 0 then
  return redis.error_reply('NOTREADY rebuilding')
end
local rank, at_ms = tonumber(ARGV[2]), tonumber(ARGV[3])
local kept = redis.call('HMGET', KEYS[1], 'rank', 'at_ms', 'answer', 'pending_rank', 'cancellation')
local old_rank, old_at_ms = tonumber(kept[1] or 0), tonumber(kept[2] or 0)
if rank > old_rank or (rank == old_rank
    and (at_ms < old_at_ms or (at_ms == old_at_ms and ARGV[4] < kept[3]))) then
  redis.call('HSET', KEYS[1], 'rank', ARGV[2], 'at_ms', ARGV[3], 'answer', ARGV[4], unpack(ARGV, 5))
end
if kept[4] and tonumber(kept[4]) <= rank then
  redis.call('HDEL', KEYS[1],
    'pending', 'pending_rank', 'pending_at_ms', 'pending_test', 'pending_until_ms')
end
-- A denial is of the rank above the one that the log knows; it goes when the log has come there.
if kept[5] and rank > old_rank then redis.call('HDEL', KEYS[1], 'cancellation') end
return 1
