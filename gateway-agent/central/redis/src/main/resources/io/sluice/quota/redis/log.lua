-- Sliding log: a sorted set with one member for each request, scored by the microsecond of this server's clock. A member "SUM:N" holds the request's
-- permits N and the sum of all permits until then, so that any run of members is counted by its two ends. Sums are padded: members of equal scores, as
-- after a clock that was set back, are in the order of their bytes.
local log = {}

local function entry(key, rank)
  local found = redis.call('ZRANGE', key, rank, rank, 'WITHSCORES')
  if #found == 0 then
    return nil
  end
  local sum, n = string.match(found[1], '^(%d+):(%d+)$')
  return { sum = tonumber(sum), n = tonumber(n), score = tonumber(found[2]), member = found[1] }
end

-- The first rank whose sum is at least so much.
local function search(key, sum)
  local low, high = 0, redis.call('ZCARD', key) - 1
  while low < high do
    local middle = math.floor((low + high) / 2)
    if entry(key, middle).sum >= sum then
      high = middle
    else
      low = middle + 1
    end
  end
  return low
end

local function read(charge)
  redis.call('ZREMRANGEBYSCORE', charge.key, '-inf', string.format('%.0f', now - charge.per))
  charge.first = entry(charge.key, 0)
  charge.last = charge.first and entry(charge.key, -1)
  charge.used = charge.first and charge.last.sum - charge.first.sum + charge.first.n or 0
end

-- Permits left, and microseconds until there are enough; 0 when there are.
function log.look(charge)
  if charge.permits <= 0 or charge.n > charge.permits then
    return 0, NEVER
  end
  read(charge)
  local left = charge.permits - charge.used
  if charge.n <= left then
    return left, 0
  end
  local blocking = entry(charge.key, search(charge.key, charge.last.sum - charge.permits + charge.n))
  return math.max(0, left), math.max(1, blocking.score + charge.per - now)
end

function log.take(charge)
  local sum = charge.n + (charge.last and charge.last.sum or 0)
  -- a clock that was set back must not put new permits before old ones
  local score = math.max(now, charge.last and charge.last.score or 0)
  redis.call('ZADD', charge.key, string.format('%.0f', score), string.format('%016.0f:%.0f', sum, charge.n))
  redis.call('PEXPIRE', charge.key, string.format('%.0f', math.ceil((score + charge.per - now) / 1000) + 1))
end

-- Returns the oldest permits first: what stays is at least as new as what was used, so that no window has too many.
function log.adjust(charge)
  read(charge)
  if charge.n > 0 then
    -- so many close the log for a whole window; sums stay exact
    charge.n = math.min(charge.n, math.ceil(charge.permits))
    log.take(charge)
  elseif charge.used + charge.n <= 0 then
    redis.call('DEL', charge.key)
  else
    local base = charge.last.sum - charge.used - charge.n
    local rank = search(charge.key, base + 1)
    local oldest = entry(charge.key, rank)
    local rest = string.format('%016.0f:%.0f', oldest.sum, oldest.sum - base)
    -- never empty meanwhile: an emptied key would lose its expiry
    redis.call('ZADD', charge.key, string.format('%.0f', oldest.score), rest)
    if rest ~= oldest.member then
      redis.call('ZREM', charge.key, oldest.member)
    end
    if rank > 0 then
      redis.call('ZREMRANGEBYRANK', charge.key, 0, rank - 1)
    end
  end
end
