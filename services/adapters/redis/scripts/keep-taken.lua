-- Adds when operations answered a client with success to what is kept of it: the earliest first and
-- the latest last count, in whatever order they come.
-- KEYS: what is kept of the client. ARGV: milliseconds to keep it, then for each operation its
-- name, the time of the first and that of the last.
for at = 2, #ARGV, 3 do
  local first, last = ARGV[at + 1], ARGV[at + 2]
  local kept = redis.call('HGET', KEYS[1], ARGV[at])
  if kept then
    local began, ended = string.match(kept, '^(%d+):(%d+)$')
    if tonumber(began) < tonumber(first) then first = began end
    if tonumber(ended) > tonumber(last) then last = ended end
  end
  redis.call('HSET', KEYS[1], ARGV[at], first .. ':' .. last)
end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1
