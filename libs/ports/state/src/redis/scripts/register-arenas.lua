-- Makes the given arenas the known ones. A leased arena that is no longer known ends with its lease.
-- KEYS: arenas, free arenas
-- ARGV: key prefix, then per arena its cluster and its slot
local known = {}
for i = 2, #ARGV, 2 do
  local name = ARGV[i] .. '/' .. ARGV[i + 1]
  known[name] = true
  local key = ARGV[1] .. 'arena:' .. name
  redis.call('HSET', key, 'cluster', ARGV[i], 'slot', ARGV[i + 1])
  redis.call('HSETNX', key, 'fence', 0)
  redis.call('SADD', KEYS[1], name)
  if redis.call('HEXISTS', key, 'episode') == 0 and redis.call('HEXISTS', key, 'quarantined') == 0 then
    redis.call('SADD', KEYS[2], name)
  end
end
for _, name in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  if not known[name] then
    redis.call('SREM', KEYS[1], name)
    redis.call('SREM', KEYS[2], name)
  end
end
return #redis.call('SMEMBERS', KEYS[1])
