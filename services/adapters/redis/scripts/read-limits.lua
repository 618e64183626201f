-- What is left of limits, of which nothing is taken. KEYS: the bucket of each.
-- ARGV: interval (us) and burst of each.
-- Answers for each: what is left, and the seconds until all of it is.
if redis.call('EXISTS', string.sub(KEYS[1], 1, 5) .. ':ready') == 0 then
  return redis.error_reply('NOTREADY rebuilding')
end
local now = now_us()
local answers = {}
for nth = 1, #KEYS do
  local interval, burst = tonumber(ARGV[2 * nth - 1]), tonumber(ARGV[2 * nth])
  local bucket = look(KEYS[nth], now, interval, burst)
  answers[#answers + 1] = string.format('%.0f', bucket and remaining(bucket) or burst)
  answers[#answers + 1] = string.format('%.0f', bucket and full_again_seconds(bucket) or 0)
end
return answers
