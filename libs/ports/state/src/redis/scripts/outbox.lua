-- Prepended to every script that sends: adds messages to the outbox in order.
-- order, bodies, counter: keys of the outbox; claim_ms: how long only the caller may publish them; from: index in ARGV
-- of the first message. Returns the first one's number.
local function now_us()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000000 + tonumber(time[2])
end

local function send(order, bodies, counter, claim_ms, from)
  local count = #ARGV - from + 1
  if count < 1 then return 0 end
  local first = redis.call('INCRBY', counter, count) - count + 1
  local at = string.format('%.0f', now_us() + claim_ms * 1000)
  local queue, texts = {}, {}
  for i = 0, count - 1 do
    local id = string.format('%016d', first + i)
    queue[2 * i + 1], queue[2 * i + 2] = at, id
    texts[2 * i + 1], texts[2 * i + 2] = id, ARGV[from + i]
  end
  redis.call('HSET', bodies, unpack(texts))
  redis.call('ZADD', order, unpack(queue))
  return first
end
