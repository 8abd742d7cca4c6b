-- Counts one request by a token, if its secret is right and it may make one now.
-- KEYS: when the requests that were let in are used up
-- ARGV: key of the token (only read: as one of KEYS it would take the right to write it), SHA-256 of the secret,
--       burst as a part of a minute
-- Returns {'unknown'}, {'too-many', token, milliseconds to wait} or {'ok', token}.
local body = redis.call('GET', ARGV[1])
if not body then return { 'unknown' } end
local token = cjson.decode(body)
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
if token.secretHash ~= ARGV[2] then return { 'unknown' } end
if token.expiresAt ~= cjson.null and token.expiresAt <= now then return { 'unknown' } end

local each = 60000 / token.requestsPerMinute
local ahead = math.max(60000 * tonumber(ARGV[3]), each)
local used = math.max(tonumber(redis.call('GET', KEYS[1]) or 0), now) + each
local wait = used - now - ahead
if wait > 0 then return { 'too-many', body, math.ceil(wait) } end
redis.call('SET', KEYS[1], string.format('%.3f', used), 'PX', math.ceil(used - now) + 1000)
return { 'ok', body }
