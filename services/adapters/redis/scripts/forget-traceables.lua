-- Forgets last positions of traceables received up to a time.
-- KEYS: position of each. ARGV: the time for each, in milliseconds.
local forgotten = 0
for i = 1, #KEYS do
  local fix = redis.call('HGET', KEYS[i], 'fix')
  if fix and cjson.decode(fix).received_at_ms <= tonumber(ARGV[i]) then
    redis.call('UNLINK', KEYS[i])
    forgotten = forgotten + 1
  end
end
return forgotten
