-- Gives an episode to a worker of a session.
-- KEYS: session, episodes of the experiment that are taken
-- ARGV: the worker's field, seat, episode, owner, most workers, seconds to keep it
-- Returns 1, or 0 when the worker has an episode, the session is closed or full, or another has the episode.
if redis.call('HEXISTS', KEYS[1], 'record') == 0 then return 0 end
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then return 0 end
local others = 1 + redis.call('HEXISTS', KEYS[1], 'ended')
if redis.call('HLEN', KEYS[1]) - others >= tonumber(ARGV[5]) then return 0 end
if redis.call('HSETNX', KEYS[2], ARGV[3], ARGV[4]) == 0 then return 0 end
redis.call('EXPIRE', KEYS[2], ARGV[6])
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return 1
