-- Prolongs a claim that is still the holder's, under a lease that is still the arena's.
-- KEYS: claim
-- ARGV: fence of the command's lease, holder, milliseconds of the claim, key of the arena (only read: as one of KEYS
--       it would take the right to write it)
-- Returns 1, or 0 when the claim or the lease is lost: it is not taken again, because another process may have worked meanwhile.
if redis.call('GET', KEYS[1]) ~= ARGV[2] or (redis.call('HGET', ARGV[4], 'fence') or '0') ~= ARGV[1] then return 0 end
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
