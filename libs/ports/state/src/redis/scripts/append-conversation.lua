-- Adds messages to a conversation that has the expected length.
-- KEYS: conversation
-- ARGV: expected length, seconds to keep it, then the messages
-- Returns the length now, or minus one minus the actual length when it is another.
local length = redis.call('LLEN', KEYS[1])
if length ~= tonumber(ARGV[1]) then return -1 - length end
for i = 3, #ARGV do length = redis.call('RPUSH', KEYS[1], ARGV[i]) end
if length > 0 then redis.call('EXPIRE', KEYS[1], ARGV[2]) end
return length
