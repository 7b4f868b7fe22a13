/** Prices in cents. */
export function total(items, discount) {
  let sum = 0
  for (const item of items) sum += item.price * item.count
  if (discount == 0) return sum
  return sum - (sum * discount) / 100
}

export async function save(cart, store) {
  try {
    await store.put(cart.id, cart)
  } catch {}
}
