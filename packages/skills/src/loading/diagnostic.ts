/**
 * What a finding means. `strict`: it breaks the open standard's prose. `blocks`: the skill cannot be activated.
 * `told`: what it means for whoever wrote the skill, in one line.
 */
export type DiagnosticTraits = { readonly strict: boolean; readonly blocks: boolean; readonly told: string }

const strict = (told: string): DiagnosticTraits => ({ strict: true, blocks: false, told })
const strictBlock = (told: string): DiagnosticTraits => ({ strict: true, blocks: true, told })
const advice = (told: string): DiagnosticTraits => ({ strict: false, blocks: false, told })
const adviceBlock = (told: string): DiagnosticTraits => ({ strict: false, blocks: true, told })

/** Every kind of finding about a skill. The names are stable: people filter by them. */
export const DIAGNOSTICS = {
  'byte-order-mark': strict('A byte order mark stands first; save the file as UTF-8 without one.'),
  'content-before-frontmatter': strict('Blank lines or comments stand before the first ---; it must be line 1.'),
  'no-frontmatter': strictBlock('There is no frontmatter; begin with --- , name, description and --- .'),
  'unclosed-frontmatter': strictBlock('The frontmatter is not closed; add a line --- below the keys.'),
  'frontmatter-language': strictBlock('A word stands after the dashes; only YAML between plain --- is read.'),
  'merge-conflict': strict('Merge conflict markers stand in the frontmatter; resolve them.'),
  'yaml-recovered': strict('The YAML is wrong and was read all the same; put the value in quotes.'),
  'yaml-broken': strictBlock('The YAML is wrong and no description could be saved.'),
  'yaml-alias-limit': strictBlock('The frontmatter has too many YAML aliases.'),
  'duplicate-key': strict('A key stands twice; the last one counts.'),
  'unknown-key': strict('A key outside the standard; it was kept.'),
  'value-coerced': strict('A number or boolean was taken as text; put it in quotes.'),
  'value-not-text': strict('A list or map stands where a text belongs.'),
  'name-missing': strict('There is no name; the folder name serves.'),
  'name-unsafe': strict('The name is a path or holds control characters; the folder name serves.'),
  'name-invalid': strict('A name is made of a-z, 0-9 and single hyphens inside it.'),
  'name-too-long': strict('A name has at most 64 characters.'),
  'name-differs-from-directory': strict('Name and folder differ; the name counts.'),
  'description-missing': strictBlock('There is no description, so there is nothing to choose the skill by.'),
  'description-too-long': strict('A description has at most 1,024 characters.'),
  'compatibility-invalid': strict('compatibility is a text of 1 to 500 characters.'),
  'metadata-not-strings': strict('metadata is a map from text to text.'),
  'allowed-tools-form': strict('allowed-tools is one text with spaces between the rules.'),
  'skill-file-case': strict('The file must be called exactly SKILL.md.'),
  'skill-file-escapes': strictBlock('SKILL.md is a link that leaves the skill folder; it was not opened.'),
  'name-shadowed': advice('Another skill of this name goes before.'),
  'untrusted-workspace': adviceBlock('The project is not trusted, so the skill was not read.'),
  'description-cut-by-comment': advice(
    'A # after a blank begins a YAML comment and cut the description; put it in quotes.',
  ),
  'skill-file-twice': advice('A second file differs from SKILL.md only in case; it was not read.'),
  'file-too-large': adviceBlock('SKILL.md is over 1 MiB; move details to files beside it.'),
  'file-unreadable': adviceBlock('SKILL.md could not be read.'),
  'not-utf8': advice('Bytes that are not UTF-8 were replaced by a sign for that; save the file as UTF-8.'),
  'nested-skill': advice('A SKILL.md lies deeper in the skill; it is only a resource here.'),
  'resource-escapes': advice('A link among the resources leaves the skill folder; it is neither listed nor opened.'),
  'too-many-resources': advice('The skill has more files than are listed.'),
  'missing-referenced-file': advice('The body links to a file that is not there.'),
  'reference-leaves-skill': advice(
    'The body links outside the skill folder; that file cannot be read through the skill.',
  ),
  'hidden-unicode-stripped': advice('Characters that nobody sees were taken out.'),
  'bang-command': advice('A line !`…` runs a command in other hosts; here it is text.'),
  'empty-body': advice('There is nothing below the frontmatter.'),
  'body-too-long': advice('The body is over 500 lines or 20,000 characters; move details to files beside it.'),
} as const satisfies Readonly<Record<string, DiagnosticTraits>>

export type DiagnosticKind = keyof typeof DIAGNOSTICS

/** One finding: where, and what was done about it. */
export type Diagnostic = {
  readonly kind: DiagnosticKind
  /** From the skill folder. */
  readonly file: string
  /** 1 is the first line. */
  readonly line?: number
  /** One line for people: what was found and what was done. */
  readonly message: string
}

/** A list that is filled while a skill is read. Of one kind at most ten are kept; the last one says how many more. */
export class Findings {
  readonly #list: Diagnostic[] = []
  readonly #counts = new Map<DiagnosticKind, number>()

  constructor(readonly file: string) {}

  add(kind: DiagnosticKind, detail?: string, line?: number, file: string = this.file): void {
    const count = (this.#counts.get(kind) ?? 0) + 1
    this.#counts.set(kind, count)
    if (count > KEPT) return
    const { told } = DIAGNOSTICS[kind]
    const message = detail === undefined ? told : `${detail} ${told}`
    this.#list.push(Object.freeze({ kind, file, ...(line === undefined ? {} : { line }), message }))
  }

  has(kind: DiagnosticKind): boolean {
    return this.#counts.has(kind)
  }

  list(): readonly Diagnostic[] {
    return Object.freeze(this.#list.map((finding, index) => this.#counted(finding, index)))
  }

  /** The last kept one of a kind tells of those that were left out. */
  #counted(finding: Diagnostic, index: number): Diagnostic {
    const more = (this.#counts.get(finding.kind) ?? 0) - KEPT
    const last = more > 0 && this.#list.findLastIndex(({ kind }) => kind === finding.kind) === index
    return last ? Object.freeze({ ...finding, message: `${finding.message} (and ${more} more)` }) : finding
  }
}

const KEPT = 10

export const isStrictlyValid = (diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.every(({ kind }) => !DIAGNOSTICS[kind].strict)

export const isLoadable = (diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.every(({ kind }) => !DIAGNOSTICS[kind].blocks)
