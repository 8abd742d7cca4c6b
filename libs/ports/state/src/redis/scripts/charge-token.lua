-- Charges problems that a token has started.
-- KEYS: when the problems that it has started are used up
-- ARGV: how many, milliseconds that each uses up, milliseconds that may be used up
-- Returns the milliseconds to wait before the token may start another one, as it was before; 0: it may.
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local used = math.max(tonumber(redis.call('GET', KEYS[1]) or 0), now)
local wait = math.max(0, math.ceil(used + ARGV[2] - now - ARGV[3]))
if tonumber(ARGV[1]) > 0 then
  local next = math.min(used + ARGV[1] * ARGV[2], now + 2 * ARGV[3])
  redis.call('SET', KEYS[1], string.format('%.3f', next), 'PX', math.ceil(next - now) + 1000)
end
return wait
