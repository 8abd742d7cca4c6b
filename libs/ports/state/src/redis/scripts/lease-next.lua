-- Gives a free arena to the next episode: experiments take turns, and an arena with the wanted environment is preferred.
-- Stride scheduling: every lease moves its experiment back in the queue by 10 minus its priority, so that shares of
-- arenas are as 1/(10 - priority), no experiment starves, and a new one starts level with the one served last.
-- KEYS: waiting, free arenas, ticket, leases, quarantined clusters, paused models
-- ARGV: key prefix, milliseconds in which the episode must take it, how many experiments to consider
-- Returns {experiment, episode, cluster, slot, fence, how many of the experiment's episodes wait still, how many it will
-- have besides}, or nil when nothing can be leased.
local prefix = ARGV[1]
local free = redis.call('SMEMBERS', KEYS[2])
if #free == 0 then return nil end
table.sort(free)

local quarantined = {}
for _, cluster in ipairs(redis.call('HKEYS', KEYS[5])) do quarantined[cluster] = true end

local paused = {}
for _, model in ipairs(redis.call('HKEYS', KEYS[6])) do paused[model] = true end

-- Read one by one: mostly one of the first will do.
local arenas = {}
local function free_arena(i)
  if not arenas[i] then
    local fields = redis.call('HMGET', prefix .. 'arena:' .. free[i], 'cluster', 'slot', 'deployed')
    arenas[i] = { name = free[i], cluster = fields[1], slot = fields[2], deployed = fields[3] or '' }
  end
  return arenas[i]
end

local function allowed(clusters, cluster)
  if clusters == '' then return true end
  for _, name in ipairs(cjson.decode(clusters)) do
    if name == cluster then return true end
  end
  return false
end

local function choose(wants, clusters)
  local best, best_rank
  for i = 1, #free do
    local arena = free_arena(i)
    if not quarantined[arena.cluster] and allowed(clusters, arena.cluster) then
      local rank = arena.deployed == wants and 0 or arena.deployed == '' and 1 or 2
      if not best or rank < best_rank then best, best_rank = arena, rank end
      if rank == 0 then break end
    end
  end
  return best
end

-- Fair between the models of an experiment: a slow one holds no more than its share while another has work waiting.
local function next_episode(id, key, lanes)
  if lanes == 1 and paused[id .. '/0'] then return nil end
  if lanes == 1 then return redis.call('ZRANGE', key .. ':pending', 0, 0)[1] end
  local held = {}
  for _, id in ipairs(redis.call('SMEMBERS', key .. ':active')) do
    local lane = lane_of(string.match(id, '%d+$'), lanes)
    held[lane] = (held[lane] or 0) + 1
  end
  local best, best_held, best_index
  for lane = 0, lanes - 1 do
    local from = lane * lane_span
    local next = not paused[id .. '/' .. lane] and redis.call('ZRANGEBYSCORE', key .. ':pending', string.format('%.0f', from),
      string.format('(%.0f', from + lane_span), 'LIMIT', 0, 1)[1]
    local count, index = held[lane] or 0, next and tonumber(string.match(next, '%d+$'))
    if next and (not best or count < best_held or (count == best_held and index < best_index)) then
      best, best_held, best_index = next, count, index
    end
  end
  return best
end

-- Of an experiment whose problems have environments of their own, nothing stands before the @.
local function wants_of(episode, wants)
  if string.sub(wants, 1, 1) ~= '@' then return wants end
  local record = redis.call('HGET', prefix .. 'episode:' .. episode, 'body')
  local problem = record and cjson.decode(record).problem
  return (problem and problem.environment or '') .. wants
end

for _, id in ipairs(redis.call('ZRANGE', KEYS[1], 0, tonumber(ARGV[3]) - 1)) do
  local key = prefix .. 'experiment:' .. id
  local plan = redis.call('HMGET', key, 'wants', 'clusters', 'maxParallel', 'cancelled', 'priority', 'lanes', 'total',
    'planned')
  local active = redis.call('SCARD', key .. ':active')
  local next = nil
  if not plan[4] and active < tonumber(plan[3]) then next = next_episode(id, key, tonumber(plan[6]) or 1) end
  local arena = next and choose(wants_of(next, plan[1]), plan[2])
  if arena then
    redis.call('ZREM', key .. ':pending', next)
    local arena_key = prefix .. 'arena:' .. arena.name
    local fence = redis.call('HINCRBY', arena_key, 'fence', 1)
    redis.call('HSET', arena_key, 'episode', next)
    redis.call('SREM', KEYS[2], arena.name)
    local time = redis.call('TIME')
    local until_ms = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000) + tonumber(ARGV[2])
    redis.call('ZADD', KEYS[4], string.format('%.0f', until_ms), arena.name)
    redis.call('SADD', key .. ':active', next)
    local given = tonumber(redis.call('ZSCORE', KEYS[1], id))
    redis.call('SET', KEYS[3], string.format('%.0f', given))
    redis.call('ZADD', KEYS[1], string.format('%.0f', given + 10 - tonumber(plan[5] or 5)), id)
    local waiting = redis.call('ZCARD', key .. ':pending')
    if waiting == 0 then redis.call('ZREM', KEYS[1], id) end
    local unplanned = tonumber(plan[7] or 0) - tonumber(plan[8] or 0)
    return { id, next, arena.cluster, tonumber(arena.slot), fence, waiting, unplanned }
  end
end
return nil
