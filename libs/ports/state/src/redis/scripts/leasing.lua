-- Prepended to every script that chooses among those who wait for an arena.
local function leasing(prefix, free_key, leases_key, quarantined_key, paused_key, considered)
  local free = redis.call('SMEMBERS', free_key)
  table.sort(free)
  local quarantined, paused = {}, {}
  for _, cluster in ipairs(redis.call('HKEYS', quarantined_key)) do quarantined[cluster] = true end
  for _, model in ipairs(redis.call('HKEYS', paused_key)) do paused[model] = true end

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
      local next = not paused[id .. '/' .. lane] and redis.call('ZRANGEBYSCORE', key .. ':pending',
        string.format('%.0f', from), string.format('(%.0f', from + lane_span), 'LIMIT', 0, 1)[1]
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

  -- The experiments of a line that may have an arena more, in their order, with what is to be known of each.
  local function waiting_in(line)
    local ids, i = redis.call('ZRANGE', line, 0, considered - 1), 0
    return function()
      while i < #ids do
        i = i + 1
        local key = prefix .. 'experiment:' .. ids[i]
        local plan = redis.call('HMGET', key, 'wants', 'clusters', 'maxParallel', 'cancelled', 'priority', 'lanes', 'total',
          'planned')
        local episode = nil
        if not plan[4] and redis.call('SCARD', key .. ':active') < tonumber(plan[3]) then
          episode = next_episode(ids[i], key, tonumber(plan[6]) or 1)
        end
        if episode then
          return { id = ids[i], key = key, episode = episode, clusters = plan[2], arena = choose(wants_of(episode, plan[1]), plan[2]),
            priority = tonumber(plan[5] or 5), unplanned = tonumber(plan[7] or 0) - tonumber(plan[8] or 0) }
        end
      end
    end
  end

  -- By owner, how many arenas are leased to its episodes. With a time: without those that are being given back, and their number,
  -- the arena `but` apart.
  local function held_by_owner(now_ms, but)
    local held, owners, leaving = {}, {}, 0
    for _, name in ipairs(redis.call('ZRANGE', leases_key, 0, -1)) do
      local lease = redis.call('HMGET', prefix .. 'arena:' .. name, 'episode', 'leaving')
      local id = lease[1] and string.match(lease[1], '^(.*)%.')
      if id and now_ms and name ~= but and tonumber(lease[2] or 0) > now_ms then
        leaving = leaving + 1
      elseif id then
        owners[id] = owners[id] or owner_of(prefix .. 'experiment:' .. id)
        held[owners[id]] = (held[owners[id]] or 0) + 1
      end
    end
    return held, leaving
  end

  return { free = #free, allowed = allowed, waiting_in = waiting_in, held_by_owner = held_by_owner }
end
