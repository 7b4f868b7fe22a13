/** One thing that was looked at. */
export type Check = { readonly state: 'ok' | 'note' | 'bad'; readonly about: string; readonly text: string }
