import { A2AError } from '../errors.js'

/** A field that is wrong, in words for who sent it. */
export const invalid = (field: string, what: string): A2AError =>
  new A2AError('a2a-invalid-params', `${field} ${what}.`, { detail: { field, description: what } })
