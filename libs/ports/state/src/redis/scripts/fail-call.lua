-- Notes that a model's provider could not answer.
-- KEYS: model
-- ARGV: milliseconds for which it asked to be left alone (-1: it did not say), seconds to keep the count
-- From the third failure in a row on it is not called for a while, which doubles with each further one up to a minute.
-- Failures of calls that were under way together count as one.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local fields = redis.call('HMGET', KEYS[1], 'pausedUntil', 'circuitUntil', 'failures', 'trying')
local pause = tonumber(ARGV[1])
if pause >= 0 then
  redis.call('HSET', KEYS[1], 'pausedUntil', math.max(tonumber(fields[1] or 0), now + pause))
end
local failures = tonumber(fields[3] or 0)
if fields[4] == '1' or now >= tonumber(fields[2] or 0) then
  failures = failures + 1
  redis.call('HSET', KEYS[1], 'failures', failures, 'trying', 0)
end
if failures >= 3 then
  redis.call('HSET', KEYS[1], 'circuitUntil', now + math.min(60000, 1000 * 2 ^ (failures - 3)))
end
redis.call('EXPIRE', KEYS[1], ARGV[2])
