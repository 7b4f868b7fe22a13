import { parseSync, Visitor } from 'rolldown/utils'
import { lineAt } from './violation.mjs'

/**
 * Every module that a source names, in whatever way: imports and re-exports, of values and of types, dynamic ones,
 * `typeof import('…')`, `require`, `require.resolve` and `import.meta.resolve`. One that is computed is not seen.
 *
 * @param {string} path decides between TypeScript and JavaScript
 * @param {string} source
 * @returns {{ specifier: string, line: number }[]}
 */
export function moduleReferences(path, source) {
  const { program, errors } = parseSync(path, source)
  const broken = errors[0]
  if (broken) throw new Error(`${path} cannot be parsed: ${broken.message}`)
  /** @type {{ specifier: string, line: number }[]} */
  const found = []
  /** @param {unknown} node */
  const add = (node) => {
    const literal = /** @type {{ type?: string, value?: unknown, start?: number } | null | undefined} */ (node)
    if (literal?.type !== 'Literal' || typeof literal.value !== 'string') return
    found.push({ specifier: literal.value, line: lineAt(source, literal.start ?? 0) })
  }
  new Visitor({
    ImportDeclaration: (node) => add(node.source),
    ExportAllDeclaration: (node) => add(node.source),
    ExportNamedDeclaration: (node) => add(node.source),
    ImportExpression: (node) => add(node.source),
    TSImportType: (node) => add(node.source),
    TSExternalModuleReference: (node) => add(node.expression),
    CallExpression: (node) => {
      const { callee } = node
      const resolves =
        callee.type === 'MemberExpression' &&
        callee.property.type === 'Identifier' &&
        callee.property.name === 'resolve' &&
        (callee.object.type === 'MetaProperty' || isRequire(callee.object))
      if (resolves || isRequire(callee)) add(node.arguments[0])
    },
  }).visit(program)
  return found
}

/** @param {{ type: string, name?: unknown }} node */
function isRequire(node) {
  return node.type === 'Identifier' && node.name === 'require'
}
