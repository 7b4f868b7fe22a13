/** The same items, with the first step taken at once: what they come from is listened to from now on. */
export function begun<T>(items: AsyncIterable<T>): AsyncIterable<T> {
  const iterator = items[Symbol.asyncIterator]()
  let first: Promise<IteratorResult<T>> | undefined = iterator.next()
  // It is looked at in the first step; until then nobody else may miss that it failed.
  first.catch(() => undefined)
  const next = (): Promise<IteratorResult<T>> => {
    const step = first ?? iterator.next()
    first = undefined
    return step
  }
  const stop = async (): Promise<IteratorResult<T>> => (await iterator.return?.()) ?? { done: true, value: undefined }
  return { [Symbol.asyncIterator]: () => ({ next, return: stop }) }
}
