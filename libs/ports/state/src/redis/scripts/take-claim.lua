-- Lets one process at a time work on a command: takes its claim, unless there is a result or another process holds it.
-- KEYS: result, claim
-- ARGV: fence of the command's lease, holder, milliseconds of the claim, key of the arena (only read: as one of KEYS
--       it would take the right to write it)
-- Returns {'done', result}, {'stale', current fence}, {'busy', milliseconds left of the other's claim} or {'taken'}.
local result = redis.call('GET', KEYS[1])
if result then return { 'done', result } end
local fence = redis.call('HGET', ARGV[4], 'fence') or '0'
if fence ~= ARGV[1] then return { 'stale', fence } end
if not redis.call('SET', KEYS[2], ARGV[2], 'NX', 'PX', ARGV[3]) then
  return { 'busy', tostring(redis.call('PTTL', KEYS[2])) }
end
return { 'taken' }
