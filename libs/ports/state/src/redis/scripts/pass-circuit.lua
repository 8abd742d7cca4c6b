-- Asks whether a model may be called now, as far as its provider is concerned.
-- KEYS: model
-- Returns for how many milliseconds it may not, and 1 when that is because it fails, 0 when it asked for a pause. While the provider fails, one caller at a time is let through to try.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local fields = redis.call('HMGET', KEYS[1], 'pausedUntil', 'circuitUntil', 'failures')
local paused = tonumber(fields[1] or 0)
local broken = tonumber(fields[2] or 0)
if now < paused and paused >= broken then return { paused - now, 0 } end
if now < broken then return { broken - now, 1 } end
local failures = tonumber(fields[3] or 0)
if failures >= 3 then
  local open_ms = math.min(60000, 1000 * 2 ^ (failures - 3))
  redis.call('HSET', KEYS[1], 'circuitUntil', now + open_ms, 'trying', 1)
end
return { 0, 0 }
