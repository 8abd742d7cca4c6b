-- Opens a session, unless its token has as many as it may.
-- KEYS: session, open sessions by when they count as lost, those of the token
-- ARGV: id, record, most, seconds to keep it, milliseconds for which it may be silent
-- Returns 1, or 0 when nothing was stored.
if redis.call('SCARD', KEYS[3]) >= tonumber(ARGV[3]) then return 0 end
local time = redis.call('TIME')
redis.call('HSET', KEYS[1], 'record', ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[4])
redis.call('ZADD', KEYS[2], string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[5]), ARGV[1])
redis.call('SADD', KEYS[3], ARGV[1])
redis.call('EXPIRE', KEYS[3], ARGV[4])
return 1
