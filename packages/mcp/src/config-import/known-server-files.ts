import { join } from 'node:path'

/** A file in which another host keeps its servers. */
export type KnownServerFile = {
  readonly host: 'claude-code' | 'claude-desktop' | 'cursor' | 'vscode'
  readonly file: string
}

/** Where the known hosts keep their servers, the project's files first. Whether a file is there is not looked at. */
export function knownServerFiles(
  cwd: string,
  home: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): readonly KnownServerFile[] {
  const apps =
    platform === 'darwin'
      ? join(home, 'Library', 'Application Support')
      : platform === 'win32'
        ? (env.APPDATA ?? join(home, 'AppData', 'Roaming'))
        : (env.XDG_CONFIG_HOME ?? join(home, '.config'))
  return [
    { host: 'claude-code', file: join(cwd, '.mcp.json') },
    { host: 'cursor', file: join(cwd, '.cursor', 'mcp.json') },
    { host: 'vscode', file: join(cwd, '.vscode', 'mcp.json') },
    { host: 'claude-code', file: join(home, '.claude.json') },
    { host: 'claude-desktop', file: join(apps, 'Claude', 'claude_desktop_config.json') },
    { host: 'cursor', file: join(home, '.cursor', 'mcp.json') },
    { host: 'vscode', file: join(apps, 'Code', 'User', 'mcp.json') },
  ]
}
