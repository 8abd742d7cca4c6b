-- Takes an arena from an episode whose lease has been over for a while, and quarantines it. The fence rises, so that what
-- still works under the lease is refused.
-- KEYS: arena, leases, active
-- ARGV: arena name, fence, episode id, milliseconds since the lease's end, reason
-- Returns 1 when it was taken, 0 when the lease changed meanwhile or is not over for so long.
local lease = redis.call('HMGET', KEYS[1], 'fence', 'episode')
if lease[1] ~= ARGV[2] or lease[2] ~= ARGV[3] then return 0 end
local time = redis.call('TIME')
local now_ms = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local until_ms = redis.call('ZSCORE', KEYS[2], ARGV[1])
if until_ms and tonumber(until_ms) + tonumber(ARGV[4]) > now_ms then return 0 end
redis.call('HINCRBY', KEYS[1], 'fence', 1)
redis.call('HDEL', KEYS[1], 'episode')
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('SREM', KEYS[3], ARGV[3])
redis.call('HSET', KEYS[1], 'quarantined', ARGV[5], 'quarantinedAt', time[1])
return 1
