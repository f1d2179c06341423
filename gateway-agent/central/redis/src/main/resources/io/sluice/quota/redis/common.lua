-- Microseconds of this server's clock: no client's clock is asked.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local NEVER = -1
