-- Adds refused calls to those kept of a client. Bounded per client by rows and time, and in all by
-- the clients of a shard: the client that was refused longest ago goes first.
-- KEYS: refusals of the client; clients of the shard that have refusals, by the time of the last.
-- ARGV: client id, now, rows of a client, milliseconds to keep, clients of the shard, then per row:
-- its name, count, time of the first, time of the last.
local now, rows_max, kept_ms, clients_max =
  tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
for at = 6, #ARGV, 4 do
  local count, first, last = tonumber(ARGV[at + 1]), ARGV[at + 2], ARGV[at + 3]
  local kept = redis.call('HGET', KEYS[1], ARGV[at])
  if kept then
    local before, began, ended = string.match(kept, '^(%d+):(%d+):(%d+)$')
    count = count + tonumber(before)
    if tonumber(began) < tonumber(first) then first = began end
    if tonumber(ended) > tonumber(last) then last = ended end
  end
  redis.call('HSET', KEYS[1], ARGV[at], string.format('%d:%s:%s', count, first, last))
end
if redis.call('HLEN', KEYS[1]) > rows_max then
  local rows, flat = {}, redis.call('HGETALL', KEYS[1])
  for at = 1, #flat, 2 do
    rows[#rows + 1] = { flat[at], tonumber(string.match(flat[at + 1], ':(%d+)$')) }
  end
  table.sort(rows, function(a, b)
    if a[2] == b[2] then return a[1] > b[1] end
    return a[2] > b[2]
  end)
  for at = 1, #rows do
    if at > rows_max or rows[at][2] < now - kept_ms then
      redis.call('HDEL', KEYS[1], rows[at][1])
    end
  end
end
redis.call('PEXPIRE', KEYS[1], kept_ms)
redis.call('ZADD', KEYS[2], now, ARGV[1])
redis.call('PEXPIRE', KEYS[2], kept_ms)
local beyond = redis.call('ZCARD', KEYS[2]) - clients_max
if beyond > 0 then
  local tag = string.sub(KEYS[2], 1, 5)
  for _, client in ipairs(redis.call('ZRANGE', KEYS[2], 0, beyond - 1)) do
    redis.call('UNLINK', tag .. ':refusals:' .. client)
    redis.call('ZREM', KEYS[2], client)
  end
end
return 1
