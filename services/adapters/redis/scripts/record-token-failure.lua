-- One wrong secret. KEYS: counter. ARGV: free failures, least and most delay, time kept (all ms).
-- Answers 0 while it is free, else the seconds to wait. While a wait runs, further failures count
-- no more: a caller that waits is not punished for others who do not. A broken counter starts
-- again.
if redis.call('EXISTS', string.sub(KEYS[1], 1, 5) .. ':ready') == 0 then
  return redis.error_reply('NOTREADY rebuilding')
end
local free, least, most, kept =
  tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local now = math.floor(now_us() / 1000)
local stored = redis.pcall('GET', KEYS[1])
local text = type(stored) == 'string' and stored or ''
local count, ends = string.match(text, '^(%d+):(%d+)$')
count, ends = tonumber(count) or 0, tonumber(ends) or 0
-- A clock that was set back must not make a caller wait for longer than the most.
if ends > now + most then ends = now + most end
if ends > now then return math.max(math.ceil((ends - now) / 1000), 1) end
count = math.min(count + 1, free + 64)
local delay = 0
if count > free then delay = math.min(least * 2 ^ (count - free - 1), most) end
redis.pcall('SET', KEYS[1], string.format('%d:%.0f', count, now + delay),
  'PX', string.format('%.0f', math.max(kept, 2 * delay)))
return math.ceil(delay / 1000)
