-- KEYS: one for each charge. ARGV: five for each: algorithm, permits to take, permits of the limit, its milliseconds, its burst.
local algorithms = { bucket = bucket, window = window, log = log }
local charges = {}
for i, key in ipairs(KEYS) do
  local from = (i - 1) * 5
  charges[i] = {
    key = key,
    algorithm = algorithms[ARGV[from + 1]],
    n = tonumber(ARGV[from + 2]),
    permits = tonumber(ARGV[from + 3]),
    per = tonumber(ARGV[from + 4]) * 1000,
    burst = tonumber(ARGV[from + 5])
  }
end
