export type Variables = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** The folder of the project that the file stands in. */
  readonly workspace: string
}

export type Expanded = { readonly text: string; readonly missing: readonly string[] }

const REFERENCE = /\$\{([^{}]+)\}/g

/**
 * Replaces what the known hosts replace: `${NAME}` and `${NAME:-otherwise}` (Claude Code), `${env:NAME}`,
 * `${userHome}`, `${workspaceFolder}`, `${pathSeparator}` (VS Code, Cursor). What nobody can fill in is missing.
 */
export function expandVariables(text: string, variables: Variables): Expanded {
  const missing: string[] = []
  const expanded = text.replace(REFERENCE, (whole, reference: string) => {
    const value = valueFor(reference, variables)
    if (value === undefined) missing.push(reference.replace(/^env:/, ''))
    return value ?? whole
  })
  return { text: expanded, missing }
}

function valueFor(reference: string, { env, home, workspace }: Variables): string | undefined {
  if (reference.startsWith('env:')) return env[reference.slice('env:'.length)]
  switch (reference) {
    case 'userHome':
      return home
    case 'workspaceFolder':
      return workspace
    case 'workspaceFolderBasename':
      return workspace.split(/[\\/]/).at(-1)
    case 'pathSeparator':
    case '/':
      return process.platform === 'win32' ? '\\' : '/'
    default: {
      const [name = '', otherwise] = reference.split(':-', 2)
      return env[name] ?? otherwise
    }
  }
}
