-- Opens an experiment, whose episodes are all there, to the dispatcher. Once.
-- KEYS: experiment, running, waiting, ticket, experiments, outbox order, outbox bodies, outbox counter,
--       owners
-- ARGV: id, submittedAt, seconds that it is listed, then the messages to send
-- Returns 1 when this call started it, 0 when it had started.
if redis.call('HSETNX', KEYS[1], 'ready', 1) == 0 then return 0 end
redis.call('SADD', KEYS[2], ARGV[1])
join_line({ waiting = KEYS[3], ticket = KEYS[4], owners = KEYS[9] }, KEYS[1], ARGV[1])
redis.call('ZADD', KEYS[5], ARGV[2], ARGV[1])
-- The list of experiments forgets those whose records have expired.
redis.call('ZREMRANGEBYSCORE', KEYS[5], '-inf', tonumber(ARGV[2]) - tonumber(ARGV[3]) * 1000)
send(KEYS[6], KEYS[7], KEYS[8], 0, 4)
return 1
