-- Token bucket: the generic cell rate algorithm (ITU-T I.371, virtual scheduling). A value "AT:AHEAD" means that at AT, microseconds of this
-- server's clock, the bucket was AHEAD microseconds from full. The two are kept apart because their sum exceeds the precision of a number, and so
-- that a clock that is set back only delays what returns.
local bucket = {}

local function ahead(key)
  local text = redis.call('GET', key)
  if not text then
    return 0
  end
  local at, rest = string.match(text, '^(%d+):(.+)$')
  return math.max(0, tonumber(rest) - math.max(0, now - tonumber(at)))
end

local function store(key, value)
  if value <= 0 then
    redis.call('DEL', key)
  else
    redis.call('SET', key, string.format('%.0f:%.17g', now, value), 'PX', string.format('%.0f', math.ceil(value / 1000) + 1))
  end
end

-- Permits left, and microseconds until there are enough; 0 when there are.
function bucket.look(charge)
  if charge.permits <= 0 or charge.n > charge.burst then
    return 0, NEVER
  end
  charge.interval = charge.per / charge.permits
  charge.ahead = ahead(charge.key)
  local full = charge.burst * charge.interval
  -- rounding, far below a permit
  local grace = charge.interval * 1e-6
  local left = math.max(0, math.floor((full - charge.ahead + grace) / charge.interval))
  local over = charge.ahead + charge.n * charge.interval - full
  return left, over > grace and math.max(1, math.ceil(over)) or 0
end

function bucket.take(charge)
  store(charge.key, charge.ahead + charge.n * charge.interval)
end

-- What is charged beyond the bucket delays by a day at most.
function bucket.adjust(charge)
  if charge.permits > 0 then
    local interval = charge.per / charge.permits
    local before = ahead(charge.key)
    local most = math.max(before, charge.burst * interval + 86400000000)
    store(charge.key, math.min(most, before + charge.n * interval))
  end
end
