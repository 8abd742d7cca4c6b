-- Notes that a call brought an answer, and what it used beyond the tokens reserved for it (negative: it used fewer).
-- KEYS: model
-- ARGV: tokens per minute (0: no limit), tokens more
local failures = redis.call('HGET', KEYS[1], 'failures')
if failures then redis.call('HDEL', KEYS[1], 'failures', 'circuitUntil', 'trying') end
local at = redis.call('HGET', KEYS[1], 'tokensAt')
local tokens = tonumber(ARGV[1])
if tokens > 0 and at then
  local step = 60000 / (tokens / 2)
  redis.call('HSET', KEYS[1], 'tokensAt', string.format('%.3f', tonumber(at) + tonumber(ARGV[2]) * step))
end
