-- Says whether an episode is to give its arena back because other owners wait and none is free for them: so many arenas are given back at a
-- time as owners wait. It goes to an owner that holds fewer, and where its agent is not silent, at least two fewer: it would
-- come back else.
-- KEYS: waiting, free arenas, leases, quarantined clusters, paused models, owners, experiment, arena
-- ARGV: key prefix, how many experiments of an owner to consider, arena name, cluster, fence, episode id, 1 if its agent is silent,
--       milliseconds within which it is given back
-- Returns 1 or 0. Experiments without an owner give nothing back.
local lease = redis.call('HMGET', KEYS[8], 'fence', 'episode')
local own = owner_of(KEYS[7])
if lease[1] ~= ARGV[5] or lease[2] ~= ARGV[6] or own == '' then return 0 end

local time = redis.call('TIME')
local now_ms = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local now = leasing(ARGV[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], tonumber(ARGV[2]))
local held, leaving = now.held_by_owner(now_ms, ARGV[3])

local waiting, is_usable = 0, false
local most = (held[own] or 0) - (ARGV[7] == '1' and 1 or 2)
for _, owner in ipairs(redis.call('ZRANGE', KEYS[6], 0, -1)) do
  if owner ~= own and (held[owner] or 0) <= most then
    local is_waiting = false
    for found in now.waiting_in(of_owner(KEYS[1], owner)) do
      if not found.arena then
        is_waiting = true
        is_usable = is_usable or now.allowed(found.clusters, ARGV[4])
        if is_usable then break end
      end
    end
    if is_waiting then waiting = waiting + 1 end
  end
end
if not is_usable or waiting <= leaving then return 0 end
-- It has had its turn: who waits is served before it.
if redis.call('ZSCORE', KEYS[6], own) then to_back(KEYS[6], own) end
redis.call('HSET', KEYS[8], 'leaving', string.format('%.0f', now_ms + tonumber(ARGV[8])))
return 1
