-- Prepended to every script that queues experiments: those of each owner wait in a line of their own, and the owners in another,
-- so that an owner with many experiments keeps no other one from its turn. Experiments without an owner are those of the owner ''.
-- `lines` has the keys: owners, waiting, ticket.
local function of_owner(key, owner)
  return owner == '' and key or key .. ':' .. owner
end

local function owner_of(experiment_key)
  return redis.call('HGET', experiment_key, 'owner') or ''
end

local function to_back(owners, owner)
  local last = redis.call('ZREVRANGE', owners, 0, 0, 'WITHSCORES')[2]
  redis.call('ZADD', owners, tonumber(last or 0) + 1, owner)
end

-- Among its owner's experiments a new one starts level with the one served last.
local function join_line(lines, experiment_key, id)
  local owner = owner_of(experiment_key)
  redis.call('ZADD', of_owner(lines.waiting, owner), 'NX', redis.call('GET', of_owner(lines.ticket, owner)) or 0, id)
  if not redis.call('ZSCORE', lines.owners, owner) then to_back(lines.owners, owner) end
end

local function leave_line(lines, experiment_key, id)
  local owner = owner_of(experiment_key)
  local line = of_owner(lines.waiting, owner)
  redis.call('ZREM', line, id)
  -- Where an older version, which knows no owners, has put it.
  redis.call('ZREM', lines.waiting, id)
  if redis.call('EXISTS', line) == 1 then return end
  redis.call('ZREM', lines.owners, owner)
  redis.call('DEL', of_owner(lines.ticket, owner))
end
