-- A carrier authorized a shipment: the newest time counts. KEYS: feed. ARGV: time, end of its life.
local kept = redis.call('HGET', KEYS[1], 'opened_at_ms')
if kept and tonumber(kept) >= tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], 'opened_at_ms', ARGV[1])
return redis.call('PEXPIREAT', KEYS[1], ARGV[2])
