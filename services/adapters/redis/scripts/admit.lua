-- Facts of many calls in one step. KEYS: token key of each call.
-- ARGV: request interval (us), request burst, location interval (us), location burst,
-- then per call: device id ('' when none), number of locations.
-- Answers one string per call, fields parted by byte 31: '!' when the shard is not ready, '' when
-- the token is not good, else client, user, audience, token scopes, client scopes, providers,
-- device rank, transport, allowed, limit, remaining, reset seconds ('' where absent).

local now = now_us()
local now_ms = math.floor(now / 1000)
local request_interval, request_burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local location_interval, location_burst = tonumber(ARGV[3]), tonumber(ARGV[4])
local ready = {}

local function is_ready(tag)
  if ready[tag] == nil then ready[tag] = redis.call('EXISTS', tag .. ':ready') == 1 end
  return ready[tag]
end

local function good_token(key)
  local token = redis.call(
    'HMGET', key, 'client_id', 'audience', 'scopes', 'expires_at_ms', 'revoked')
  if not token[1] or not token[2] or token[5] ~= '0' then return nil end
  if not (tonumber(token[4]) > now_ms) then return nil end
  return token
end

local function device_of(tag, client_id, device_id)
  if device_id == '' then return '', '' end
  local device = redis.call(
    'HMGET', tag .. ':device:' .. device_id, 'owner', 'epoch', 'transport_id')
  if device[1] ~= client_id or not device[3] then return '', '' end
  return device[2], device[3]
end

-- Charges both limits or none of them, and tells the tighter one.
local function quota_of(tag, client_id, locations)
  local requests = look(tag .. ':quota:req:' .. client_id, now, request_interval, request_burst)
  if not requests then return '\31\31\31' end
  local tighter, allowed = requests, fits(requests, 1)
  local positions
  if locations > 0 then
    positions = look(tag .. ':quota:loc:' .. client_id, now, location_interval, location_burst)
    if not positions then return '\31\31\31' end
    if not fits(positions, locations) then
      if allowed then tighter = positions end
      allowed = false
    end
  end
  if allowed then
    if not take(requests, 1) then return '\31\31\31' end
    if positions then
      if not take(positions, locations) then return '\31\31\31' end
      if remaining(positions) / positions.burst < remaining(requests) / requests.burst then
        tighter = positions
      end
    end
  end
  return table.concat({
    allowed and '1' or '0',
    string.format('%.0f', tighter.burst),
    string.format('%.0f', remaining(tighter)),
    string.format('%.0f', full_again_seconds(tighter)),
  }, '\31')
end

local function facts_of(key, device_id, locations)
  local tag = string.sub(key, 1, 5)
  if not is_ready(tag) then return '!' end
  local token = good_token(key)
  if not token then return '' end
  local client_id = token[1]
  local client = redis.call(
    'HMGET', tag .. ':client:' .. client_id, 'user_id', 'scopes', 'providers', 'status')
  if client[4] ~= 'active' then return '' end
  local rank, transport = device_of(tag, client_id, device_id)
  return table.concat({
    client_id, client[1], token[2], token[3], client[2], client[3], rank, transport,
    quota_of(tag, client_id, locations),
  }, '\31')
end

local answers = {}
for i = 1, #KEYS do
  answers[i] = facts_of(KEYS[i], ARGV[3 + 2 * i], tonumber(ARGV[4 + 2 * i]))
end
return answers
