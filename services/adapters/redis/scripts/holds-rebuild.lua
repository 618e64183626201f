-- Keeps the right to rebuild, only if every shard of KEYS still knows it: a shard that forgot it
-- was wiped, and what was rebuilt in it is gone. ARGV: owner, lease in ms.
for i = 1, #KEYS do
  if redis.call('GET', KEYS[i]) ~= ARGV[1] then return 0 end
end
for i = 1, #KEYS do redis.call('PEXPIRE', KEYS[i], ARGV[2]) end
return 1
