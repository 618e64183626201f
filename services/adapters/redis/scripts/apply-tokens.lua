-- Issued and revoked tokens, in any order with the same outcome: revoked stays revoked.
-- KEYS: token of each fact. ARGV: '1' to test the ready marks, grace in ms, then per fact:
-- revoked 0|1, client_id, audience, scopes, issued_at_ms, expires_at_ms.
local STRIDE = 6
if ARGV[1] == '1' then
  for i = 1, #KEYS do
    local mark = string.sub(KEYS[i], 1, 5) .. ':ready'
    if redis.call('EXISTS', mark) == 0 then return redis.error_reply('NOTREADY rebuilding') end
  end
end
for i = 1, #KEYS do
  local at = 3 + (i - 1) * STRIDE
  local key, expires = KEYS[i], ARGV[at + 5]
  redis.call('HSET', key, 'client_id', ARGV[at + 1], 'expires_at_ms', expires)
  if ARGV[at] == '1' then
    redis.call('HSET', key, 'revoked', '1')
  else
    redis.call('HSET', key, 'audience', ARGV[at + 2], 'scopes', ARGV[at + 3],
      'issued_at_ms', ARGV[at + 4])
    redis.call('HSETNX', key, 'revoked', '0')
  end
  redis.call('PEXPIREAT', key, string.format('%.0f', tonumber(expires) + tonumber(ARGV[2])))
end
return #KEYS
