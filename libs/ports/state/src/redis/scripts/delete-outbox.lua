-- Forgets messages that were published.
-- KEYS: outbox order, outbox bodies
-- ARGV: their numbers
redis.call('ZREM', KEYS[1], unpack(ARGV))
redis.call('HDEL', KEYS[2], unpack(ARGV))
return #ARGV
