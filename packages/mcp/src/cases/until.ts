/**
 * What crosses processes takes a moment, and longer where the machine has other work; a moment is not for ever. Whoever
 * asks for it checks afterwards what came of it.
 */
export async function until(there: () => boolean, atMostMs = 3_000): Promise<void> {
  for (const end = Date.now() + atMostMs; !there() && Date.now() < end; )
    await new Promise((resolve) => setTimeout(resolve, 20))
}
