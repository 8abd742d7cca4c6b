-- One step of an episode: its record, the indexes over it, what it does to its arena, and what is to be sent. All or nothing.
-- KEYS: episode, experiment, pending, active, waiting, ticket, deadlines, leases, free arenas, arenas,
--       outbox order, outbox bodies, outbox counter, owners
-- ARGV: expected version, body, state, episode id, experiment id, index, deadline in ms or '',
--       seconds to keep a done episode, arena effect or '', arena key, arena name, fence, effect's text,
--       milliseconds in which only the caller publishes the messages, then these
-- Returns {1, 1 if the experiment's episodes are all done, number of the first message}, or {0, current version} when the record changed meanwhile, or {-1} when the lease is another's.
local version = redis.call('HGET', KEYS[1], 'version')
if version ~= ARGV[1] then return { 0, version and tonumber(version) or -1 } end

local effect, arena_key, arena_name, fence = ARGV[9], ARGV[10], ARGV[11], ARGV[12]
if effect ~= '' then
  local lease = redis.call('HMGET', arena_key, 'fence', 'episode')
  local held = effect == 'refence' and tostring(tonumber(fence) - 1) or fence
  local ours = lease[1] == held and lease[2] == ARGV[4]
  if not ours and effect ~= 'release' and effect ~= 'quarantine' then return { -1 } end
  if effect == 'take' then
    local until_ms = math.floor(now_us() / 1000) + tonumber(ARGV[13])
    redis.call('ZADD', KEYS[8], string.format('%.0f', until_ms), arena_name)
  end
  if ours and effect == 'refence' then redis.call('HSET', arena_key, 'fence', fence) end
  if ours and effect == 'deployed' then redis.call('HSET', arena_key, 'deployed', ARGV[13]) end
  if ours and (effect == 'release' or effect == 'quarantine') then
    redis.call('HDEL', arena_key, 'episode')
    redis.call('ZREM', KEYS[8], arena_name)
    if effect == 'quarantine' then
      redis.call('HSET', arena_key, 'quarantined', ARGV[13], 'quarantinedAt', redis.call('TIME')[1])
    elseif redis.call('SISMEMBER', KEYS[10], arena_name) == 1 then
      redis.call('SADD', KEYS[9], arena_name)
    end
  end
end

redis.call('HSET', KEYS[1], 'version', tonumber(ARGV[1]) + 1, 'body', ARGV[2])
local state, all_done = ARGV[3], 0
if state == 'planned' then
  redis.call('SREM', KEYS[4], ARGV[4])
  redis.call('ZADD', KEYS[3], pending_score(ARGV[6], redis.call('HGET', KEYS[2], 'lanes')), ARGV[4])
  join_line({ waiting = KEYS[5], ticket = KEYS[6], owners = KEYS[14] }, KEYS[2], ARGV[5])
elseif state == 'done' then
  redis.call('SREM', KEYS[4], ARGV[4])
  redis.call('ZREM', KEYS[3], ARGV[4])
  local done = redis.call('HINCRBY', KEYS[2], 'done', 1)
  if tostring(done) == redis.call('HGET', KEYS[2], 'total') then all_done = 1 end
  redis.call('EXPIRE', KEYS[1], ARGV[8])
elseif effect == 'take' then
  redis.call('SADD', KEYS[4], ARGV[4])
  redis.call('ZREM', KEYS[3], ARGV[4])
end

if ARGV[7] == '' then
  redis.call('ZREM', KEYS[7], ARGV[4])
else
  redis.call('ZADD', KEYS[7], ARGV[7], ARGV[4])
end
local first = send(KEYS[11], KEYS[12], KEYS[13], tonumber(ARGV[14]), 15)
return { 1, all_done, first }
