-- Counts what has failed on a cluster since something last went well there, each thing once; at the limit the cluster is quarantined.
-- KEYS: suspected, quarantined
-- ARGV: cluster, what failed, its weight, limit, the quarantine as JSON
-- Returns 1 when it was quarantined just now.
if redis.call('HEXISTS', KEYS[2], ARGV[1]) == 1 then return 0 end
local known = redis.call('HGET', KEYS[1], ARGV[1])
local failures = known and cjson.decode(known) or {}
failures[ARGV[2]] = tonumber(ARGV[3])
local sum = 0
for _, weight in pairs(failures) do sum = sum + weight end
if sum < tonumber(ARGV[4]) then
  redis.call('HSET', KEYS[1], ARGV[1], cjson.encode(failures))
  return 0
end
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[5])
return 1
