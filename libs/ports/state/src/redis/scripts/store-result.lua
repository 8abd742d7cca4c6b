-- Stores a stage's result and ends the claim under which it was reached. The first result stays.
-- KEYS: result, claim
-- ARGV: holder, result, seconds to keep it
-- Returns 1, or the result that was stored before, or nil when there is none and the claim is not the holder's.
local stored = redis.call('GET', KEYS[1])
if stored then return stored end
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return nil end
redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3])
redis.call('DEL', KEYS[2])
return 1
