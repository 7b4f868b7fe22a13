// The suite imports a function of `fs` that Node 20 does not have, for a command that is not used here.
import { register } from 'node:module'

register(
  `data:text/javascript,${encodeURIComponent(`
export async function resolve(specifier, context, next) {
  const wanted = (specifier === 'fs' || specifier === 'node:fs') && context.parentURL?.includes('/conformance/dist/')
  return wanted ? { shortCircuit: true, url: 'tenon:fs' } : next(specifier, context)
}
export async function load(url, context, next) {
  if (url !== 'tenon:fs') return next(url, context)
  const source = "export * from 'node:fs'; export { default } from 'node:fs'; export const globSync = () => []"
  return { shortCircuit: true, format: 'module', source }
}`)}`,
)
