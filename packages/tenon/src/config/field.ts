import type { JsonObject } from '@tenon/kernel'
import type { Secret } from './secret.js'

declare const holds: unique symbol

type About = {
  /** One sentence for editors and for `tenon init`. */
  readonly doc: string
  readonly examples?: readonly string[]
}

type Spec =
  | {
      readonly kind: 'text'
      /** `${NAME}` is replaced from the environment. Off where a value may reach a model. */
      readonly interpolate?: true
      readonly pattern?: { readonly source: string; readonly means: string }
    }
  /** Text that is shown to nobody; the environment is looked up when it is used. */
  | { readonly kind: 'secret' }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'flag' }
  | { readonly kind: 'number'; readonly min: number; readonly max: number; readonly integer?: true }
  /** Written `500ms`, `30s`, `5m` or `2h`; held in milliseconds. */
  | { readonly kind: 'duration' }
  | { readonly kind: 'list'; readonly item: AnyField }
  /** Keys are the user's own. */
  | { readonly kind: 'map'; readonly value: AnyField; readonly keys: string }
  | {
      readonly kind: 'object'
      readonly fields: Readonly<Record<string, AnyField>>
      readonly required: readonly string[]
      /** Exactly one of these keys must be there. */
      readonly oneOf?: readonly string[]
    }
  /** Any JSON object: a JSON Schema, a pattern. */
  | { readonly kind: 'json' }

export type AnyField = Spec & About

/** One entry of the configuration table, with the type of the value that it yields. */
export type Field<T> = AnyField & { readonly [holds]?: T }

export type ValueOf<F> = F extends { readonly [holds]?: infer T } ? Exclude<T, undefined> : never

type Fields = Readonly<Record<string, AnyField>>
type ObjectOf<F extends Fields, R extends keyof F> = {
  readonly [K in R]: ValueOf<F[K]>
} & { readonly [K in Exclude<keyof F, R>]?: ValueOf<F[K]> }

type More<Kind extends Spec['kind']> = Omit<Extract<Spec, { kind: Kind }>, 'kind'> & {
  readonly examples?: readonly string[]
}

export const text = (doc: string, more: More<'text'> = {}): Field<string> => ({ kind: 'text', doc, ...more })
export const secret = (doc: string): Field<Secret> => ({ kind: 'secret', doc })
export const flag = (doc: string): Field<boolean> => ({ kind: 'flag', doc })
export const number = (doc: string, more: More<'number'>): Field<number> => ({ kind: 'number', doc, ...more })
export const duration = (doc: string): Field<number> => ({ kind: 'duration', doc })
export const json = (doc: string): Field<JsonObject> => ({ kind: 'json', doc })

export const choice = <const V extends string>(doc: string, values: readonly V[]): Field<V> => ({
  kind: 'choice',
  doc,
  values,
})

export const list = <T>(doc: string, item: Field<T>): Field<readonly T[]> => ({ kind: 'list', doc, item })

export const map = <T>(doc: string, keys: string, value: Field<T>): Field<Readonly<Record<string, T>>> => ({
  kind: 'map',
  doc,
  keys,
  value,
})

export const object = <F extends Fields, R extends keyof F & string = never>(
  doc: string,
  fields: F,
  more: { readonly required?: readonly R[]; readonly oneOf?: readonly (keyof F & string)[] } = {},
): Field<ObjectOf<F, R>> => ({
  kind: 'object',
  doc,
  fields,
  required: more.required ?? [],
  ...(more.oneOf === undefined ? {} : { oneOf: more.oneOf }),
})
