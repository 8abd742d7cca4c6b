-- Ends the quarantine of an arena; of several who want to, one does. It counts as empty from then on.
-- KEYS: arena, arenas, free arenas
-- ARGV: arena name
-- Returns 1 when it was quarantined.
if redis.call('HEXISTS', KEYS[1], 'quarantined') == 0 then return 0 end
redis.call('HDEL', KEYS[1], 'quarantined', 'quarantinedAt', 'deployed')
if redis.call('SISMEMBER', KEYS[2], ARGV[1]) == 1 then redis.call('SADD', KEYS[3], ARGV[1]) end
return 1
