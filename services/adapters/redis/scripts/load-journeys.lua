-- Journeys as JSON, '' where there is none. KEYS: shipments. ARGV: '1' to test the ready marks.
local found = {}
for i = 1, #KEYS do
  local mark = string.sub(KEYS[i], 1, 5) .. ':ready'
  if ARGV[1] == '1' and redis.call('EXISTS', mark) == 0 then
    return redis.error_reply('NOTREADY rebuilding')
  end
  found[i] = redis.call('HGET', KEYS[i], 'journey') or ''
end
return found
