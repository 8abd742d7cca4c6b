-- Reserves a place for one call within a model's limits per minute.
-- KEYS: model
-- ARGV: requests per minute, tokens per minute (0: no limit), tokens of this call, seconds to keep the count
-- Returns how many milliseconds to wait before the call.
-- Each limit is a point in time that every call moves on by its share of the minute. It may run ahead of the clock by a
-- burst; what the burst allows at once is taken from the pace, so that no minute ever holds more than the limit.
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000

local function reserve(field, burst, pace, share)
  local step = 60000 / pace
  local from = math.max(tonumber(redis.call('HGET', KEYS[1], field) or 0), now)
  redis.call('HSET', KEYS[1], field, string.format('%.3f', from + share * step))
  return from + math.min(share, burst) * step - burst * step - now
end

local wait = 0
local requests = tonumber(ARGV[1])
if requests > 0 then
  local burst = math.max(1, math.floor(requests / 10))
  wait = math.max(wait, reserve('requestsAt', burst, requests - burst + 1, 1))
end
local tokens = tonumber(ARGV[2])
if tokens > 0 then
  wait = math.max(wait, reserve('tokensAt', tokens / 2, tokens / 2, tonumber(ARGV[3])))
end
redis.call('EXPIRE', KEYS[1], ARGV[4])
return math.ceil(wait)
