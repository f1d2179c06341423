-- Looks at all charges, then takes all or none. Returns whether they were taken, the index of the charge that decided (the one with the longest wait, or
-- with the least left), its permits left, and microseconds to wait, -1 for ever.
local decided, least, longest = 1, math.huge, 0
for i, charge in ipairs(charges) do
  local left, wait = charge.algorithm.look(charge)
  if wait == NEVER then
    wait = math.huge
  end
  if wait > longest then
    longest, decided, least = wait, i, left
  elseif longest == 0 and left - charge.n < least then
    decided, least = i, left - charge.n
  end
end
if longest > 0 then
  return { 0, decided - 1, least, longest == math.huge and NEVER or longest }
end
for _, charge in ipairs(charges) do
  charge.algorithm.take(charge)
end
return { 1, decided - 1, least, 0 }
