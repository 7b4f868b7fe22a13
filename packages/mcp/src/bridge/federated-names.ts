import { shownName } from '../catalogue/shown-name.js'

export type Origin = { readonly server: string; readonly name: string }

/**
 * Names of tools and prompts across several servers: as the server calls it while no other one does, else together
 * with the server's name. Once given, a name stays with what it was given to as long as this process lives, whoever
 * else comes later.
 */
export class FederatedNames {
  readonly #byName = new Map<string, Origin>()
  readonly #byOrigin = new Map<string, string>()

  nameOf(server: string, name: string): string {
    const key = JSON.stringify([server, name])
    const known = this.#byOrigin.get(key)
    if (known !== undefined) return known
    const given = this.#byName.has(name) ? shownName(server, name) : name
    this.#byName.set(given, { server, name })
    this.#byOrigin.set(key, given)
    return given
  }

  originOf(given: string): Origin | undefined {
    return this.#byName.get(given)
  }
}
