-- A request for deferred events; of two with one id the command issued first counts, and ids of
-- commands rise with time. KEYS: request. ARGV: command id, end of its life in ms, the request.
local kept = redis.call('HGET', KEYS[1], 'command_id')
if kept and kept <= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'command_id', ARGV[1], 'request', ARGV[3])
redis.call('PEXPIREAT', KEYS[1], ARGV[2])
return 1
