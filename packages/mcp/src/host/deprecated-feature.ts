/** What revision 2026-07-28 deprecates (SEP-2577). It stays for at least twelve months. */
export type DeprecatedFeature = 'roots' | 'sampling' | 'logging'

const FEATURES: Readonly<Record<string, DeprecatedFeature>> = {
  'roots/list': 'roots',
  'sampling/createMessage': 'sampling',
  'notifications/message': 'logging',
}

/** The deprecated feature that a request or notification of a server belongs to. */
export const deprecatedFeature = (method: string): DeprecatedFeature | undefined =>
  Object.hasOwn(FEATURES, method) ? FEATURES[method] : undefined
