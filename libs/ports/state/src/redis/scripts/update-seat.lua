-- Replaces what is known of a worker's seat, if the worker still has that problem.
-- KEYS: session
-- ARGV: the worker's field, problem, seat
-- Returns 1, or 0 when it has that problem no longer.
local seat = redis.call('HGET', KEYS[1], ARGV[1])
if not seat or cjson.decode(seat).problem ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1
