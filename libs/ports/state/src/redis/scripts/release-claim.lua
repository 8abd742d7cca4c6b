-- Gives up a claim, if it is the holder's.
-- KEYS: claim
-- ARGV: holder
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1
