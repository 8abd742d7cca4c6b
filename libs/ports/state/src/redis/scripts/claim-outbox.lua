-- Hands out the oldest messages that no other process is publishing; they come back when they are not deleted in time.
-- KEYS: outbox order, outbox bodies
-- ARGV: how many, milliseconds of the claim
-- Returns number, message, number, message, ...
local now = now_us()
local ids = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now), 'LIMIT', 0, ARGV[1])
local claimed = {}
for _, id in ipairs(ids) do
  redis.call('ZADD', KEYS[1], string.format('%.0f', now + tonumber(ARGV[2]) * 1000), id)
  claimed[#claimed + 1] = id
  claimed[#claimed + 1] = redis.call('HGET', KEYS[2], id)
end
return claimed
