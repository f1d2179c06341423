-- Fixed window: a counter that expires at the end of its window. Windows begin at whole multiples of their length, in this server's clock.
local window = {}
-- Whole numbers are exact up to here.
local MOST = 2^53

-- Permits left, and microseconds until there are enough; 0 when there are.
function window.look(charge)
  if charge.permits <= 0 or charge.n > charge.permits then
    return 0, NEVER
  end
  local left = charge.permits - tonumber(redis.call('GET', charge.key) or 0)
  if charge.n <= left then
    return left, 0
  end
  -- a key is there through the millisecond in which it expires
  return math.max(0, left), (math.max(0, redis.call('PTTL', charge.key)) + 1) * 1000
end

function window.take(charge)
  if redis.call('INCRBY', charge.key, string.format('%.0f', charge.n)) == charge.n then
    local millis = math.floor(now / 1000)
    local length = charge.per / 1000
    redis.call('PEXPIREAT', charge.key, string.format('%.0f', millis - millis % length + length))
  end
end

function window.adjust(charge)
  local used = tonumber(redis.call('GET', charge.key) or 0)
  if charge.n > 0 then
    -- an increment beyond the range of a counter would fail, and with it the corrections after this one
    charge.n = math.min(charge.n, MOST - used)
    if used == 0 then
      redis.call('DEL', charge.key)
    end
    window.take(charge)
  elseif used + charge.n <= 0 then
    redis.call('DEL', charge.key)
  else
    redis.call('INCRBY', charge.key, string.format('%.0f', charge.n))
  end
end
