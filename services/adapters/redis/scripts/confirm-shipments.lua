-- Makes a client the carrier of shipments that have none. KEYS: shipments. ARGV: client.
for i = 1, #KEYS do
  local tag = string.sub(KEYS[i], 1, 5)
  if redis.call('EXISTS', tag .. ':ready') == 0 then
    return redis.error_reply('NOTREADY rebuilding')
  end
end
for i = 1, #KEYS do
  redis.call('HSETNX', KEYS[i], 'carrier', ARGV[1])
  if redis.call('HGET', KEYS[i], 'reserved') == ARGV[1] then
    redis.call('HDEL', KEYS[i], 'reserved', 'reserved_until_ms')
  end
end
return #KEYS
