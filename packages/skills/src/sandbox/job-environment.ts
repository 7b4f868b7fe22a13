/** Where programs of the system lie, inside and outside. */
export const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin'

/** The environment of a job, built from nothing. */
export function jobEnvironment(
  granted: Readonly<Record<string, string>> | undefined,
  home: string,
  temporary: string,
): Readonly<Record<string, string>> {
  return { PATH: SYSTEM_PATH, HOME: home, TMPDIR: temporary, LANG: 'C.UTF-8', ...granted }
}
