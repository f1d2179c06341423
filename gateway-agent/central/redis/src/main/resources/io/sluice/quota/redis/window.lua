-- Fixed window. A value "END:USED" means that so many permits are used until END, milliseconds of this server's clock. Windows begin at whole multiples
-- of their length. The first request with another length changes END: permits that are used then stay used.
local window = {}
-- Whole numbers are exact up to here.
local MOST = 2^53

local function store(charge, used)
  if used <= 0 then
    redis.call('DEL', charge.key)
  else
    local rest = string.format('%.0f', charge.stop - math.floor(now / 1000))
    redis.call('SET', charge.key, string.format('%.0f:%.0f', charge.stop, used), 'PX', rest)
  end
end

local function stop(charge)
  local millis = math.floor(now / 1000)
  local length = charge.per / 1000
  return millis - millis % length + length
end

-- As it is stored: with its former end, if the limit has changed.
local function read(charge)
  local before, used = string.match(redis.call('GET', charge.key) or '', '^(%d+):(%d+)$')
  local holds = before and tonumber(before) * 1000 > now
  charge.stop = holds and tonumber(before) or stop(charge)
  charge.used = holds and tonumber(used) or 0
end

-- Permits left, and microseconds until there are enough; 0 when there are.
function window.look(charge)
  if charge.permits <= 0 or charge.n > charge.permits then
    return 0, NEVER
  end
  read(charge)
  if charge.stop ~= stop(charge) then
    charge.stop = stop(charge)
    -- even if nothing is taken: what is used counts until the end of the new window
    store(charge, charge.used)
  end
  local left = charge.permits - charge.used
  return math.max(0, left), charge.n > left and charge.stop * 1000 - now or 0
end

function window.take(charge)
  store(charge, charge.used + charge.n)
end

function window.adjust(charge)
  read(charge)
  store(charge, math.min(charge.used + charge.n, MOST))
end
