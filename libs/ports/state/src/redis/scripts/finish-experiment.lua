-- Closes an experiment whose episodes are all done. Once.
-- KEYS: experiment, running, waiting, pending, active, outbox order, outbox bodies, outbox counter,
--       ticket, owners
-- ARGV: id, record, seconds to keep it, then the messages to send
-- Returns 1 when this call closed it, else 0.
local counts = redis.call('HMGET', KEYS[1], 'done', 'total')
if not counts[1] or counts[1] ~= counts[2] then return 0 end
if redis.call('HSETNX', KEYS[1], 'finished', 1) == 0 then return 0 end
redis.call('HSET', KEYS[1], 'record', ARGV[2])
redis.call('SREM', KEYS[2], ARGV[1])
leave_line({ waiting = KEYS[3], ticket = KEYS[9], owners = KEYS[10] }, KEYS[1], ARGV[1])
redis.call('DEL', KEYS[4], KEYS[5])
redis.call('EXPIRE', KEYS[1], ARGV[3])
send(KEYS[6], KEYS[7], KEYS[8], 0, 4)
return 1
