-- Facts of many calls in one step. KEYS: token key of each call.
-- ARGV: interval (us) and burst of a client's requests, of its locations, of its notifications, of
-- its bytes and of a device's requests. Then per call: device id ('' when none), number of
-- locations, of notifications, of bytes, and 1 when they are charged, 0 when it is only asked if
-- they would fit.
-- Answers one string per call, fields parted by byte 31. It is '!' when the shard is not ready, ''
-- when the token is not good. Else: client, user, audience, token scopes, client scopes, providers, limits,
-- '1' of a sandbox client, device stage, transport, allowed, limit, remaining, reset seconds, whose limit ('' where absent).

local now = now_us()
local now_ms = math.floor(now / 1000)
local REQUESTS, LOCATIONS, NOTIFICATIONS, BYTES, DEVICE = 1, 2, 3, 4, 5
local intervals, bursts = {}, {}
for nth = 1, 5 do
  intervals[nth], bursts[nth] = tonumber(ARGV[2 * nth - 1]), tonumber(ARGV[2 * nth])
end
local FIRST_CALL = 11
local UNKNOWN_QUOTA = '\31\31\31\31'
local ready = {}

local function is_ready(tag)
  if ready[tag] == nil then ready[tag] = redis.call('EXISTS', tag .. ':ready') == 1 end
  return ready[tag]
end

local function good_token(key)
  local token = redis.call(
    'HMGET', key, 'client_id', 'audience', 'scopes', 'expires_at_ms', 'revoked', 'revocations')
  if not token[1] or not token[2] or token[5] ~= '0' then return nil end
  if not (tonumber(token[4]) > now_ms) then return nil end
  return token
end

-- Where the entries of a sandbox client lie; state/sandbox-store.ts says the same.
local function sandbox_of(tag, client_id)
  return tag .. ':sandbox:' .. client_id .. ':' .. tonumber(string.sub(tag, 3, 4))
end

local function device_of(tag, client_id, device_id, sandbox)
  if device_id == '' then return '', '' end
  local at = sandbox == '1' and sandbox_of(tag, client_id) or tag
  local device = redis.call(
    'HMGET', at .. ':device:' .. device_id, 'owner', 'epoch', 'transport_id')
  if device[1] ~= client_id or not device[3] then return '', '' end
  return device[2], device[3]
end

-- Limits per second of a client's own, by their place; nil when it has none. The text has the order
-- of kernel/client-limits.ts, and may end before its last limits.
local function own_limits(text)
  if not text then return nil end
  local requests, locations, bytes, device, notifications =
    string.match(text, '^(%d*),(%d*),(%d*),(%d*),?%d*,?(%d*)$')
  return { requests, locations, notifications, bytes, device }
end

-- A burst of its own lasts as many seconds as that of all others.
local function rate_of(own, nth)
  local interval, burst = intervals[nth], bursts[nth]
  local per_second = own and tonumber(own[nth])
  if not per_second then return interval, burst end
  return 1000000 / per_second, math.max(1, math.floor(per_second * (interval * burst / 1000000)))
end

-- The limits that a call counts against: bucket, cost and name of each; nil when one is unreadable.
local function limits_of(tag, client_id, own, device_id, cost_of)
  local limits = {}
  local function add(kind, id, nth, cost, name)
    local interval, burst = rate_of(own, nth)
    local bucket = look(tag .. ':quota:' .. kind .. ':' .. id, now, interval, burst)
    if not bucket then return false end
    limits[#limits + 1] = { bucket = bucket, cost = cost, name = name }
    return true
  end
  if not add('req', client_id, REQUESTS, 1, 'client') then return nil end
  if cost_of.locations > 0
    and not add('loc', client_id, LOCATIONS, cost_of.locations, 'client-locations') then
    return nil
  end
  if cost_of.notifications > 0 and not add(
    'ntf', client_id, NOTIFICATIONS, cost_of.notifications, 'client-notifications') then
    return nil
  end
  if cost_of.bytes > 0
    and not add('byt', client_id, BYTES, cost_of.bytes, 'client-bytes') then
    return nil
  end
  if device_id ~= '' and not add('dev', device_id, DEVICE, 1, 'device') then return nil end
  return limits
end

local function share_left(limit)
  return remaining(limit.bucket) / limit.bucket.burst
end

-- Charges every limit or none of them, so that a device above its own takes nothing from the rest
-- of its client, and returns the tightest one.
local function quota_of(tag, client_id, own, device_id, cost_of)
  local limits = limits_of(tag, client_id, own, device_id, cost_of)
  if not limits then return UNKNOWN_QUOTA end
  local refusing
  for _, limit in ipairs(limits) do
    if not refusing and not fits(limit.bucket, limit.cost) then refusing = limit end
  end
  local tightest = refusing or limits[1]
  if not refusing then
    for _, limit in ipairs(limits) do
      if cost_of.charges and not take(limit.bucket, limit.cost) then return UNKNOWN_QUOTA end
    end
    for _, limit in ipairs(limits) do
      if share_left(limit) < share_left(tightest) then tightest = limit end
    end
  end
  return table.concat({
    refusing and '0' or '1',
    string.format('%.0f', tightest.bucket.burst),
    string.format('%.0f', remaining(tightest.bucket)),
    string.format('%.0f', full_again_seconds(tightest.bucket)),
    tightest.name,
  }, '\31')
end

local function facts_of(key, device_id, cost_of)
  local tag = string.sub(key, 1, 5)
  if not is_ready(tag) then return '!' end
  local token = good_token(key)
  if not token then return '' end
  local client_id = token[1]
  local client = redis.call('HMGET', tag .. ':client:' .. client_id,
    'user_id', 'scopes', 'providers', 'status', 'limits', 'revocations', 'sandbox')
  if client[4] ~= 'active' then return '' end
  if tonumber(token[6] or 0) < tonumber(client[6] or 0) then return '' end
  local rank, transport = device_of(tag, client_id, device_id, client[7])
  return table.concat({
    client_id, client[1], token[2], token[3], client[2], client[3], client[5] or '', client[7] or '',
    rank, transport,
    quota_of(tag, client_id, own_limits(client[5]), rank == '' and '' or device_id, cost_of),
  }, '\31')
end

local answers = {}
for i = 1, #KEYS do
  local at = FIRST_CALL + 5 * (i - 1)
  answers[i] = facts_of(KEYS[i], ARGV[at], {
    locations = tonumber(ARGV[at + 1]), notifications = tonumber(ARGV[at + 2]),
    bytes = tonumber(ARGV[at + 3]), charges = ARGV[at + 4] == '1',
  })
end
return answers
