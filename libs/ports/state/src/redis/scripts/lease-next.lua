-- Gives a free arena to the next episode: the owner that holds the fewest arenas is first, and of those that hold equally many the
-- one that was served least recently. Of an owner the experiments take turns, and an arena with the wanted environment is
-- preferred.
-- Stride scheduling: every lease moves its experiment back in its line by 10 minus its priority, so that shares of
-- arenas are as 1/(10 - priority), and no experiment starves.
-- KEYS: waiting, free arenas, ticket, leases, quarantined clusters, paused models, owners
-- ARGV: key prefix, milliseconds in which the episode must take it, how many experiments of an owner to consider
-- Returns {experiment, episode, cluster, slot, fence, how many of the experiment's episodes wait still, how many it will
-- have besides}, or nil when nothing can be leased.
if redis.call('SCARD', KEYS[2]) == 0 then return nil end
local lines = { waiting = KEYS[1], ticket = KEYS[3], owners = KEYS[7] }
-- An older version knows no owners: what it has queued has none.
if redis.call('EXISTS', lines.waiting) == 1 and not redis.call('ZSCORE', lines.owners, '') then to_back(lines.owners, '') end
local now = leasing(ARGV[1], KEYS[2], KEYS[4], KEYS[5], KEYS[6], tonumber(ARGV[3]))

local owners = redis.call('ZRANGE', lines.owners, 0, -1)
if #owners > 1 then
  local held, places = now.held_by_owner(), {}
  for place, owner in ipairs(owners) do places[owner] = place end
  table.sort(owners, function(a, b)
    local more = (held[a] or 0) - (held[b] or 0)
    if more ~= 0 then return more < 0 end
    return places[a] < places[b]
  end)
end

local function give(owner, found)
  local id, key, episode, arena = found.id, found.key, found.episode, found.arena
  redis.call('ZREM', key .. ':pending', episode)
  local arena_key = ARGV[1] .. 'arena:' .. arena.name
  local fence = redis.call('HINCRBY', arena_key, 'fence', 1)
  redis.call('HSET', arena_key, 'episode', episode)
  redis.call('HDEL', arena_key, 'leaving')
  redis.call('SREM', KEYS[2], arena.name)
  local time = redis.call('TIME')
  local until_ms = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000) + tonumber(ARGV[2])
  redis.call('ZADD', KEYS[4], string.format('%.0f', until_ms), arena.name)
  redis.call('SADD', key .. ':active', episode)
  local line = of_owner(lines.waiting, owner)
  local given = tonumber(redis.call('ZSCORE', line, id))
  redis.call('SET', of_owner(lines.ticket, owner), string.format('%.0f', given))
  redis.call('ZADD', line, string.format('%.0f', given + 10 - found.priority), id)
  to_back(lines.owners, owner)
  local waiting = redis.call('ZCARD', key .. ':pending')
  if waiting == 0 then leave_line(lines, key, id) end
  return { id, episode, arena.cluster, tonumber(arena.slot), fence, waiting, found.unplanned }
end

for _, owner in ipairs(owners) do
  for found in now.waiting_in(of_owner(lines.waiting, owner)) do
    if found.arena then return give(owner, found) end
  end
end
return nil
