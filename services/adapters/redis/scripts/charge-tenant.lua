-- What a tenant used since it was last charged. KEYS: the bucket of each of its limits.
-- ARGV: interval (us), burst and cost for each. What was used has happened, so it is charged
-- whether it fits or not. Answers for each: what is left, seconds until it is full again and
-- milliseconds until one more fits.
if redis.call('EXISTS', string.sub(KEYS[1], 1, 5) .. ':ready') == 0 then
  return redis.error_reply('NOTREADY rebuilding')
end
local now = now_us()
local answers = {}
for nth = 1, #KEYS do
  local interval, burst = tonumber(ARGV[3 * nth - 2]), tonumber(ARGV[3 * nth - 1])
  local bucket = look(KEYS[nth], now, interval, burst)
  if bucket then
    take(bucket, tonumber(ARGV[3 * nth]))
    local wait = bucket.tat - bucket.now + bucket.interval - bucket.window
    answers[#answers + 1] = string.format('%.0f', remaining(bucket))
    answers[#answers + 1] = string.format('%.0f', full_again_seconds(bucket))
    answers[#answers + 1] = string.format('%.0f', math.max(math.ceil(wait / 1000), 0))
  else
    for _, left in ipairs({ string.format('%.0f', burst), '0', '0' }) do
      answers[#answers + 1] = left
    end
  end
end
return answers
