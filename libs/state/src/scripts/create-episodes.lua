-- Adds planned episodes to an experiment that has not started yet; those that exist stay as they are.
-- KEYS: experiment, pending, then one key per episode
-- ARGV: number of lanes, then per episode its id, its index, its body
-- Returns 0 when the experiment has started already, else 1.
if redis.call('HGET', KEYS[1], 'ready') then return 0 end
for i = 3, #KEYS do
  local at = (i - 3) * 3 + 1
  if redis.call('HSETNX', KEYS[i], 'body', ARGV[at + 3]) == 1 then
    redis.call('HSET', KEYS[i], 'version', 0)
    redis.call('ZADD', KEYS[2], pending_score(ARGV[at + 2], ARGV[1]), ARGV[at + 1])
  end
end
return 1
