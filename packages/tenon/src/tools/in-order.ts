/** Works on up to `width` items at once and gives the results in the order of the items. */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  width: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const underWay: Promise<Result>[] = []
  try {
    for await (const item of items) {
      const result = work(item)
      // Looked at when its turn comes; until then a failure is not an unhandled one.
      result.catch(() => undefined)
      underWay.push(result)
      if (underWay.length >= width) yield await (underWay.shift() as Promise<Result>)
    }
    while (underWay.length > 0) yield await (underWay.shift() as Promise<Result>)
  } finally {
    await Promise.allSettled(underWay)
  }
}
