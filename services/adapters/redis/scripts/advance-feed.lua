-- A page was read: the most items count, then the most pages. KEYS: feed. ARGV: items, pages, cursor,
-- end of its life, for one that is not open yet.
local kept = redis.call('HMGET', KEYS[1], 'items', 'pages')
if kept[1] then
  local more = tonumber(ARGV[1]) - tonumber(kept[1])
  if more < 0 or (more == 0 and tonumber(ARGV[2]) <= tonumber(kept[2])) then return 0 end
end
redis.call('HSET', KEYS[1], 'items', ARGV[1], 'pages', ARGV[2], 'cursor', ARGV[3])
if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIREAT', KEYS[1], ARGV[4]) end
return 1
