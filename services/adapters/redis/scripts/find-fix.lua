-- A last position. "There is none" is said only when the positions are complete: before, the
-- answer is that the shard is not ready. KEYS: ready mark, mark of completeness, position.
if redis.call('EXISTS', KEYS[1]) == 0 then return redis.error_reply('NOTREADY rebuilding') end
local fix = redis.call('HGET', KEYS[3], 'fix')
if not fix and redis.call('GET', KEYS[2]) ~= redis.call('GET', KEYS[1]) then
  return redis.error_reply('NOTREADY positions follow')
end
return fix
