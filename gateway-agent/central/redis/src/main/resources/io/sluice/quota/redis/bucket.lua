-- Token bucket: the generic cell rate algorithm (ITU-T I.371, virtual scheduling). A value "AT:AHEAD:INTERVAL" means that at AT, microseconds of this
-- server's clock, the bucket was AHEAD microseconds from full, at one permit every INTERVAL microseconds. AT and AHEAD are kept apart because their sum
-- exceeds the precision of a number. The first request after the clock was set back moves AT to the new time, and the first one at another rate changes
-- INTERVAL: permits that are missing then stay missing.
local bucket = {}

local function store(charge, value)
  if value <= 0 then
    redis.call('DEL', charge.key)
  else
    local text = string.format('%.0f:%.17g:%.17g', now, value, charge.interval)
    redis.call('SET', charge.key, text, 'PX', string.format('%.0f', math.ceil(value / 1000) + 1))
  end
end

-- As it is stored: at its former rate, if the limit has changed.
local function read(charge)
  local at, ahead, interval = string.match(redis.call('GET', charge.key) or '', '^(%d+):([^:]+):([^:]+)$')
  charge.interval = at and tonumber(interval) or charge.per / charge.permits
  charge.ahead = at and math.max(0, tonumber(ahead) - math.max(0, now - tonumber(at))) or 0
  charge.stale = at and tonumber(at) > now
end

-- Permits left, and microseconds until there are enough; 0 when there are.
function bucket.look(charge)
  if charge.permits <= 0 or charge.n > charge.burst then
    return 0, NEVER
  end
  read(charge)
  local interval = charge.per / charge.permits
  if charge.interval ~= interval then
    charge.ahead = charge.ahead / charge.interval * interval
    charge.interval = interval
    charge.stale = true
  end
  if charge.stale then
    -- even if nothing is taken: what is missing returns at this rate from now on
    store(charge, charge.ahead)
  end
  local full = charge.burst * interval
  -- rounding, far below a permit
  local grace = interval * 1e-6
  local left = math.max(0, math.floor((full - charge.ahead + grace) / interval))
  local over = charge.ahead + charge.n * interval - full
  return left, over > grace and math.max(1, math.ceil(over)) or 0
end

function bucket.take(charge)
  store(charge, charge.ahead + charge.n * charge.interval)
end

-- What is charged beyond the bucket delays by a day at most.
function bucket.adjust(charge)
  if charge.permits > 0 then
    read(charge)
    local most = math.max(charge.ahead, charge.burst * charge.interval + 86400000000)
    store(charge, math.min(most, charge.ahead + charge.n * charge.interval))
  end
end
