-- Applies all corrections.
for _, charge in ipairs(charges) do
  charge.algorithm.adjust(charge)
end
return {}
