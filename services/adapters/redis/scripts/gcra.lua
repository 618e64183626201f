-- Limits by GCRA: one number per bucket, the time at which it is empty again, in microseconds.
-- Nothing here may fail: a broken counter allows, because a limiter must not refuse by its own
-- fault.

local function now_us()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end

-- The bucket at `key`; nil when it cannot be read.
local function look(key, now, interval, burst)
  local stored = redis.pcall('GET', key)
  if type(stored) == 'table' then return nil end
  local tat = tonumber(stored or now)
  local window = interval * burst
  -- A clock that was set back, or a value that is none, must not lock a caller out for long.
  if not tat or tat ~= tat or tat < now then tat = now end
  if tat > now + math.max(window, 60000000) then tat = now + math.max(window, 60000000) end
  return { key = key, now = now, tat = tat, interval = interval, burst = burst, window = window }
end

-- A cost above the burst fits into a full bucket; otherwise it could never pass at all.
local function fits(bucket, cost)
  local least = math.min(cost, bucket.burst) * bucket.interval
  return bucket.tat - bucket.now + least <= bucket.window
end

local function take(bucket, cost)
  bucket.tat = bucket.tat + cost * bucket.interval
  local ttl = math.ceil((bucket.tat - bucket.now) / 1000) + 1000
  local reply = redis.pcall(
    'SET', bucket.key, string.format('%.0f', bucket.tat), 'PX', string.format('%.0f', ttl))
  return reply.err == nil
end

local function remaining(bucket)
  local left = math.floor((bucket.window - (bucket.tat - bucket.now)) / bucket.interval)
  return math.max(left, 0)
end

local function full_again_seconds(bucket)
  return math.ceil((bucket.tat - bucket.now) / 1000000)
end
