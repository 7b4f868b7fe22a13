/** What a Python script says of its needs in a `# /// script` block (PEP 723). */
export type InlineMetadata = {
  readonly requiresPython: string | undefined
  /** Requirements as written, such as `requests>=2`. */
  readonly dependencies: readonly string[]
}

const BLOCK = /^# \/\/\/ script\r?\n((?:#(?: .*)?\r?\n)+?)# \/\/\/\s*$/m

/** Undefined where there is no block. Only the two keys that PEP 723 defines are read. */
export function inlineMetadata(source: string): InlineMetadata | undefined {
  const block = BLOCK.exec(source)?.[1]
  if (block === undefined) return undefined
  const toml = block.replace(/^# ?/gm, '')
  const list = /^dependencies\s*=\s*\[((?:\s|,|"[^"\n]*"|'[^'\n]*'|#[^\n]*)*)\]/m.exec(toml)?.[1] ?? ''
  return {
    requiresPython: /^requires-python\s*=\s*["']([^"']*)["']/m.exec(toml)?.[1],
    dependencies: [...list.matchAll(/"([^"]*)"|'([^']*)'/g)].map((match) => (match[1] ?? match[2] ?? '').trim()),
  }
}

/** Prints a JSON list of the requirements that are not met; its arguments are requires-python and the requirements. */
export const UNMET_PROGRAM = `
import json, re, sys
from importlib import metadata
def numbers(text): return [int(part) for part in re.findall(r'[0-9]+', text)]
def fits(have, spec):
    for one in filter(None, (part.strip() for part in spec.split(','))):
        match = re.match(r'(===|==|~=|!=|>=|<=|>|<)\\s*([^\\s;]+)', one)
        if not match: continue
        sign, want = match.group(1), match.group(2)
        a, b = numbers(have), numbers(want)
        width = max(len(a), len(b))
        prefix = a[:len(b)] == b
        a, b = a + [0] * (width - len(a)), b + [0] * (width - len(b))
        ok = {'==': prefix if want.endswith('*') else a == b, '===': have == want, '!=': a != b, '>=': a >= b,
              '<=': a <= b, '>': a > b, '<': a < b, '~=': a >= b and numbers(have)[:len(numbers(want)) - 1] == numbers(want)[:-1]}[sign]
        if not ok: return False
    return True
unmet = []
python = '.'.join(map(str, sys.version_info[:3]))
if sys.argv[1] and not fits(python, sys.argv[1]): unmet.append('python ' + sys.argv[1] + ' (here: ' + python + ')')
for requirement in sys.argv[2:]:
    match = re.match(r'([A-Za-z0-9._-]+)\\s*(?:\\[[^\\]]*\\])?\\s*([^;@]*)', requirement)
    name, spec = (match.group(1), match.group(2).strip(' ()')) if match else (requirement, '')
    try: have = metadata.version(name)
    except metadata.PackageNotFoundError: unmet.append(requirement); continue
    if not fits(have, spec): unmet.append(requirement + ' (here: ' + have + ')')
print(json.dumps(unmet))
`
