-- Sets a mark and gives the right to rebuild back. KEYS: right, mark; right, mark; …
-- ARGV: owner, name of the servers that ran when the rebuild began, for how many ms the store
-- counts as rebuilt recently (0: it does not).
for i = 1, #KEYS, 2 do
  if redis.call('GET', KEYS[i]) ~= ARGV[1] then return 0 end
end
for i = 1, #KEYS, 2 do
  redis.call('SET', KEYS[i + 1], ARGV[2])
  redis.call('DEL', KEYS[i])
  if ARGV[3] ~= '0' then
    redis.call('SET', string.sub(KEYS[i], 1, 5) .. ':rebuilt', '1', 'PX', ARGV[3])
  end
end
return 1
