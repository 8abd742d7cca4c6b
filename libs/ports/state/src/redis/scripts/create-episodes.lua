-- Adds the next planned episodes to an experiment, in the order of their indices.
-- KEYS: experiment, pending, waiting, ticket, owners, then one key per episode
-- ARGV: id, number of lanes, how many were added before, then per episode its id, its index, its body
-- Returns 1, or 0 when another number was added before, or the experiment is cancelled.
local plan = redis.call('HMGET', KEYS[1], 'planned', 'cancelled', 'ready')
if plan[1] ~= ARGV[3] or plan[2] then return 0 end
for i = 6, #KEYS do
  local at = (i - 6) * 3 + 3
  redis.call('HSET', KEYS[i], 'body', ARGV[at + 3], 'version', 0)
  redis.call('ZADD', KEYS[2], pending_score(ARGV[at + 2], ARGV[2]), ARGV[at + 1])
end
redis.call('HINCRBY', KEYS[1], 'planned', #KEYS - 5)
if plan[3] then join_line({ waiting = KEYS[3], ticket = KEYS[4], owners = KEYS[5] }, KEYS[1], ARGV[1]) end
return 1
