-- Frees a worker whose problem is over, if the worker still has that problem, and keeps what came of it.
-- KEYS: session
-- ARGV: the worker's field, worker, problem, what came of it, for how many workers that is kept
-- Returns 1, or 0 when it has that problem no longer.
local seat = redis.call('HGET', KEYS[1], ARGV[1])
if not seat or cjson.decode(seat).problem ~= ARGV[3] then return 0 end
local kept = {}
for _, one in ipairs(cjson.decode(redis.call('HGET', KEYS[1], 'ended') or '[]')) do
  if one.worker ~= ARGV[2] then kept[#kept + 1] = one end
end
kept[#kept + 1] = cjson.decode(ARGV[4])
while #kept > tonumber(ARGV[5]) do table.remove(kept, 1) end
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('HSET', KEYS[1], 'ended', cjson.encode(kept))
return 1
