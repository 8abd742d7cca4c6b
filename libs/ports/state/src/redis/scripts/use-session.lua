-- Reads an open session, as a sign of life of it.
-- KEYS: session, open sessions by when they count as lost
-- ARGV: id
-- Returns its fields and their values in turn; none: it is not open.
local fields = redis.call('HGETALL', KEYS[1])
if #fields == 0 then return fields end
local time = redis.call('TIME')
local silence = cjson.decode(redis.call('HGET', KEYS[1], 'record')).silenceSeconds * 1000
redis.call('ZADD', KEYS[2], 'XX', string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000) + silence), ARGV[1])
return fields
