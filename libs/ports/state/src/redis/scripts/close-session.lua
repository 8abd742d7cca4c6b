-- Forgets a session. Episodes that its workers have may be taken by others.
-- KEYS: session, open sessions by when they count as lost, those of the token, episodes of the experiment that are taken
-- ARGV: id
-- Returns 1, or 0 when it was not open.
local fields = redis.call('HGETALL', KEYS[1])
for i = 1, #fields, 2 do
  if string.sub(fields[i], 1, 5) == 'seat:' then
    local seat = cjson.decode(fields[i + 1])
    if redis.call('HGET', KEYS[4], seat.episodeId) == ARGV[1] .. '/' .. seat.worker then
      redis.call('HDEL', KEYS[4], seat.episodeId)
    end
  end
end
redis.call('DEL', KEYS[1])
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('SREM', KEYS[3], ARGV[1])
return #fields > 0 and 1 or 0
