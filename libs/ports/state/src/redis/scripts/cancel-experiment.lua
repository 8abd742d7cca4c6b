-- From now on none of an experiment's episodes gets an arena, and none is added: those that were are all it has.
-- KEYS: experiment. ARGV: "agent" if its agent cancels it, else ""
if redis.call('HGET', KEYS[1], 'cancelled') ~= '1' then
  redis.call('HSET', KEYS[1], 'cancelledBy', ARGV[1])
end
redis.call('HSET', KEYS[1], 'cancelled', 1, 'total', redis.call('HGET', KEYS[1], 'planned'))
return 1
