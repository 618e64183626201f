-- Keeps a checkpoint in shards whose ready mark names the server that runs this: one that took over
-- since may lack what the checkpoint says. KEYS: mark, checkpoint; mark, checkpoint; …
-- ARGV: checkpoint. Answers 1 when all were kept, 0 when none was.
local server = redis.call('INFO', 'server')
local history = redis.call('INFO', 'replication')
local process = string.match(server, 'run_id:(%w+)')
local name = process .. ':' .. string.match(history, 'master_replid:(%w+)')
for i = 1, #KEYS, 2 do
  local mark = redis.call('GET', KEYS[i])
  if not mark or not string.find(mark, name, 1, true) then return 0 end
end
for i = 2, #KEYS, 2 do redis.call('SET', KEYS[i], ARGV[1]) end
return 1
