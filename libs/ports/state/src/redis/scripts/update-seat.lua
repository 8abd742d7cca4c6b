-- Replaces, or without a new one removes, what is known of a worker's seat, if the worker still has that problem.
-- KEYS: session
-- ARGV: the worker's field, problem, seat (empty: none)
-- Returns 1, or 0 when it has that problem no longer.
local seat = redis.call('HGET', KEYS[1], ARGV[1])
if not seat or cjson.decode(seat).problem ~= ARGV[2] then return 0 end
if ARGV[3] == '' then redis.call('HDEL', KEYS[1], ARGV[1]) else redis.call('HSET', KEYS[1], ARGV[1], ARGV[3]) end
return 1
