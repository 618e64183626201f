-- Folds a fact into its call: the newest round that was asked for, and the last try of the newest
-- round; of two reports of one try the one that ends it, and a tracking number before everything.
-- KEYS: call. ARGV: kind (asked or tried), round, attempt, rank of its end, due in ms or '', end of
-- its life in ms, the fact. Answers whether anything changed, and when the call is due ('' never).
local call = redis.call('HMGET', KEYS[1], 'asked_round', 'asked_due', 'tried_round', 'tried_rank',
  'tried_due')
local round, changed = tonumber(ARGV[2]), 0
if ARGV[1] == 'asked' then
  if round > tonumber(call[1] or 0) then
    redis.call('HSET', KEYS[1], 'asked_round', ARGV[2], 'asked_due', ARGV[5], 'asked', ARGV[7])
    call[1], call[2], changed = ARGV[2], ARGV[5], 1
  end
else
  local rank, old = ARGV[3] * 2 + ARGV[4], tonumber(call[3] or 0)
  if round > old or (round == old and rank > tonumber(call[4])) then
    redis.call('HSET', KEYS[1], 'tried_round', ARGV[2], 'tried_rank', string.format('%.0f', rank),
      'tried_due', ARGV[5], 'tried', ARGV[7])
    call[3], call[5], changed = ARGV[2], ARGV[5], 1
  end
end
if changed == 1 then redis.call('PEXPIREAT', KEYS[1], ARGV[6]) end
if not call[1] then return { changed, '' } end
if tonumber(call[3] or 0) < tonumber(call[1]) then return { changed, call[2] } end
return { changed, call[5] }
