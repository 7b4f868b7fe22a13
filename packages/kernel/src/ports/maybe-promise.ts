/** A port may answer at once or by promise; the engine waits only where it got a promise. */
export type MaybePromise<T> = T | PromiseLike<T>

export function isPromise<T>(value: MaybePromise<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
}
