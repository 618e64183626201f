-- A page was read: the highest count of pages counts. KEYS: feed. ARGV: pages, cursor, end of its
-- life, for one that is not open yet.
local kept = redis.call('HGET', KEYS[1], 'pages')
if kept and tonumber(kept) >= tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], 'pages', ARGV[1], 'cursor', ARGV[2])
if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIREAT', KEYS[1], ARGV[3]) end
return 1
