-- One token request against one bucket. KEYS: bucket, and failures to forget when it is allowed.
-- ARGV: interval (us), burst. Answers 0 when allowed, else the seconds to wait.
if redis.call('EXISTS', string.sub(KEYS[1], 1, 5) .. ':ready') == 0 then
  return redis.error_reply('NOTREADY rebuilding')
end
local bucket = look(KEYS[1], now_us(), tonumber(ARGV[1]), tonumber(ARGV[2]))
if bucket and not fits(bucket, 1) then
  local wait = bucket.tat - bucket.now + bucket.interval - bucket.window
  return math.max(math.ceil(wait / 1000000), 1)
end
if bucket then take(bucket, 1) end
if KEYS[2] then redis.pcall('DEL', KEYS[2]) end
return 0
