-- Frees an arena whose episode never got to know of its lease, and puts the episode back in the queue if it waits.
-- KEYS: arena, leases, free arenas, arenas, pending, active, waiting, ticket, episode, experiment, owners
-- ARGV: arena name, fence, episode id, experiment id, index or '' when the episode does not wait, its version
-- Returns 1 when freed, 0 when the lease or the episode changed meanwhile.
local lease = redis.call('HMGET', KEYS[1], 'fence', 'episode')
if lease[1] ~= ARGV[2] or lease[2] ~= ARGV[3] then return 0 end
if ARGV[5] ~= '' then
  if redis.call('HGET', KEYS[9], 'version') ~= ARGV[6] then return 0 end
  redis.call('SREM', KEYS[6], ARGV[3])
  redis.call('ZADD', KEYS[5], pending_score(ARGV[5], redis.call('HGET', KEYS[10], 'lanes')), ARGV[3])
  join_line({ waiting = KEYS[7], ticket = KEYS[8], owners = KEYS[11] }, KEYS[10], ARGV[4])
end
redis.call('HDEL', KEYS[1], 'episode')
redis.call('ZREM', KEYS[2], ARGV[1])
if redis.call('SISMEMBER', KEYS[4], ARGV[1]) == 1 and redis.call('HEXISTS', KEYS[1], 'quarantined') == 0 then
  redis.call('SADD', KEYS[3], ARGV[1])
end
return 1
