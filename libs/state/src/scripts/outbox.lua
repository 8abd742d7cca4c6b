-- Prepended to every script that sends: adds messages to the outbox in order.
-- order, bodies, counter: keys of the outbox; from: index in ARGV of the first message.
local function now_us()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000000 + tonumber(time[2])
end

local function send(order, bodies, counter, from)
  local at = now_us()
  for i = from, #ARGV do
    local id = string.format('%016d', redis.call('INCR', counter))
    redis.call('HSET', bodies, id, ARGV[i])
    redis.call('ZADD', order, string.format('%.0f', at), id)
  end
end
