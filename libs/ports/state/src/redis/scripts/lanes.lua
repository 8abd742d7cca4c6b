-- Prepended to every script that queues episodes: an experiment's models wait in lanes of one sorted set, so that the
-- first of each lane is found at once. The plan lets the model change fastest, so an index gives its lane.
local lane_span = 4294967296

local function lane_of(index, lanes)
  return tonumber(index) % (tonumber(lanes) or 1)
end

local function pending_score(index, lanes)
  return string.format('%.0f', lane_of(index, lanes) * lane_span + tonumber(index))
end
