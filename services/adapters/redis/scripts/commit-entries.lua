-- Transactions, each applied whole when every entry it names still has its version, else not at
-- all. A new version is the clock in microseconds, and above the old one, so that none comes twice.
-- KEYS: per transaction its entries, then its sorted sets.
-- ARGV: '1' to test the ready marks, then per transaction: number of entries, of sorted sets, of
-- the arguments of both, the expected version of each entry, then the entries, then the sorted
-- sets.
-- Per entry: number of field arguments, of fields to drop (-1 removes the entry), when it expires
-- in ms or '', the fields with values, the fields to drop.
-- Per sorted set: least score kept or '', when it expires in ms or '' (the latest counts). Then the
-- number of members to remove, to add, to add if new, to keep at their least score, the members, and
-- score and member of each that is added.
-- Answers 1 or 0 per transaction.
local time = redis.call('TIME')
local now_us = time[1] * 1000000 + time[2]

local function change_entry(key, version, at)
  local sets, drops, expires = tonumber(ARGV[at]), tonumber(ARGV[at + 1]), ARGV[at + 2]
  local fields = at + 3
  if drops == -1 then
    redis.call('DEL', key)
    return fields
  end
  if drops > 0 then redis.call('HDEL', key, unpack(ARGV, fields + sets, fields + sets + drops - 1)) end
  if sets > 0 then redis.call('HSET', key, unpack(ARGV, fields, fields + sets - 1)) end
  if sets + drops > 0 then
    local next_version = math.max(now_us, tonumber(version) + 1)
    redis.call('HSET', key, 'v', string.format('%.0f', next_version))
  end
  if expires ~= '' then redis.call('PEXPIREAT', key, expires) end
  return fields + sets + drops
end

local function change_members(key, at)
  local least, expires, removed = ARGV[at], ARGV[at + 1], tonumber(ARGV[at + 2])
  local added, new = tonumber(ARGV[at + 3]) * 2, tonumber(ARGV[at + 4]) * 2
  local least_of = tonumber(ARGV[at + 5]) * 2
  local first = at + 6
  if least ~= '' then redis.call('ZREMRANGEBYSCORE', key, '-inf', '(' .. least) end
  if removed > 0 then redis.call('ZREM', key, unpack(ARGV, first, first + removed - 1)) end
  first = first + removed
  if added > 0 then redis.call('ZADD', key, unpack(ARGV, first, first + added - 1)) end
  first = first + added
  if new > 0 then redis.call('ZADD', key, 'NX', unpack(ARGV, first, first + new - 1)) end
  first = first + new
  if least_of > 0 then redis.call('ZADD', key, 'LT', unpack(ARGV, first, first + least_of - 1)) end
  if expires ~= '' and redis.call('PEXPIREAT', key, expires, 'NX') == 0 then
    redis.call('PEXPIREAT', key, expires, 'GT')
  end
  return first + least_of
end

if ARGV[1] == '1' then
  local ready = {}
  for i = 1, #KEYS do
    local tag = string.sub(KEYS[i], 1, 5)
    if not ready[tag] and redis.call('EXISTS', tag .. ':ready') == 0 then
      return redis.error_reply('NOTREADY rebuilding')
    end
    ready[tag] = true
  end
end

local answers, at, key = {}, 2, 1
while at <= #ARGV do
  local entries, sorted, length = tonumber(ARGV[at]), tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
  local versions, body, is_current = at + 3, at + 3 + entries, true
  for i = 0, entries - 1 do
    if (redis.call('HGET', KEYS[key + i], 'v') or '0') ~= ARGV[versions + i] then
      is_current = false
    end
  end
  if is_current then
    local next_at = body
    for i = 0, entries - 1 do
      next_at = change_entry(KEYS[key + i], ARGV[versions + i], next_at)
    end
    for i = entries, entries + sorted - 1 do next_at = change_members(KEYS[key + i], next_at) end
  end
  answers[#answers + 1] = is_current and 1 or 0
  at, key = body + length, key + entries + sorted
end
return answers
