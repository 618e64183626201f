-- A command as it was issued: the same whoever writes it.
-- KEYS: command. ARGV: '1' to test the ready mark, end of its life in ms, the fact without its body.
if ARGV[1] == '1' and redis.call('EXISTS', string.sub(KEYS[1], 1, 5) .. ':ready') == 0 then
  return redis.error_reply('NOTREADY rebuilding')
end
redis.call('HSET', KEYS[1], 'issued', ARGV[3])
local ttl = redis.call('PTTL', KEYS[1])
if ttl == -1 then redis.call('PEXPIREAT', KEYS[1], ARGV[2]) end
return 1
