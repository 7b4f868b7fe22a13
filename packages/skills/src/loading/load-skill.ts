import { isUtf8 } from 'node:buffer'
import type { Dirent } from 'node:fs'
import { basename } from 'node:path'
import { type Diagnostic, Findings, isLoadable, isStrictlyValid } from './diagnostic.js'
import { nothingRead, type ParsedSkill, parseSkill } from './parse-skill.js'
import type { LoadedSkill, SkillRoot } from './skill.js'
import { noFields, type SkillFields } from './skill-fields.js'
import { type FolderListing, listSkillFolder, readInside } from './skill-files.js'

/** The most that is read of a SKILL.md. */
const MAX_SKILL_BYTES = 1024 * 1024

export type SkillPlace = {
  readonly root: SkillRoot
  /** By its real path. */
  readonly folder: string
  readonly path: string
}

export type SkillReading = {
  readonly skill: LoadedSkill
  /** The body as a model would get it; empty where the skill cannot be loaded. */
  readonly body: string
  /** Folders inside the skill, relative: what has to be watched for new resources. */
  readonly folders: readonly string[]
}

/**
 * Reads one skill folder; `entries` are what lies in it, where somebody has looked just now. Runs nothing, opens nothing but the SKILL.md, and never throws for what the folder holds.
 */
export function loadSkill(place: SkillPlace, entries?: readonly Dirent[]): SkillReading {
  const directory = basename(place.folder)
  const findings = new Findings('SKILL.md')
  const listing = listSkillFolder(place.folder, findings, entries)
  const file = listing.skillFile ?? 'SKILL.md'
  const parsed = readSkillFile(place, listing, file, directory, findings)
  checkReferences(parsed, listing, findings)
  const diagnostics = findings.list()
  const loadable = isLoadable(diagnostics) && parsed.fields.description !== undefined
  const skill = made(place, file, parsed.fields, {
    resources: listing.resources,
    bodyTokens: Math.ceil(parsed.body.length / CHARS_PER_TOKEN),
    diagnostics: file === 'SKILL.md' ? diagnostics : diagnostics.map((one) => inFile(one, file)),
    loadable,
    strictlyValid: isStrictlyValid(diagnostics),
  })
  return { skill, body: loadable ? parsed.body : '', folders: listing.folders }
}

/** A skill of a project that is not trusted: it is there, and nothing more is known. */
export function unreadSkill(place: SkillPlace, file: string): LoadedSkill {
  const findings = new Findings(file)
  findings.add('untrusted-workspace')
  const diagnostics = findings.list()
  return made(place, file, noFields(basename(place.folder)), {
    resources: [],
    bodyTokens: 0,
    diagnostics,
    loadable: false,
    strictlyValid: isStrictlyValid(diagnostics),
  })
}

type Judged = Pick<LoadedSkill, 'resources' | 'bodyTokens' | 'diagnostics' | 'loadable' | 'strictlyValid'>

/** Written out member by member: put together by spreading, three thousand of these took a fifth of the time. */
function made({ root, folder, path }: SkillPlace, file: string, fields: SkillFields, judged: Judged): LoadedSkill {
  return Object.freeze({
    root,
    folder,
    path,
    file,
    name: fields.name,
    description: fields.description,
    license: fields.license,
    compatibility: fields.compatibility,
    metadata: fields.metadata,
    allowedTools: fields.allowedTools,
    extra: fields.extra,
    invocation: fields.invocation,
    resources: judged.resources,
    bodyTokens: judged.bodyTokens,
    diagnostics: judged.diagnostics,
    loadable: judged.loadable,
    strictlyValid: judged.strictlyValid,
  })
}

const inFile = (one: Diagnostic, file: string): Diagnostic =>
  one.file === 'SKILL.md' ? Object.freeze({ ...one, file }) : one

const CHARS_PER_TOKEN = 4

function readSkillFile(
  place: SkillPlace,
  listing: FolderListing,
  file: string,
  directory: string,
  findings: Findings,
): ParsedSkill {
  const nothing = nothingRead(directory)
  const read = readInside(place.folder, file, MAX_SKILL_BYTES, listing.skillFileIsLink)
  switch (read.kind) {
    case 'escapes':
      findings.add('skill-file-escapes')
      return nothing
    case 'missing':
      // A link to nothing leads nowhere inside the skill either.
      findings.add(listing.skillFileIsLink ? 'skill-file-escapes' : 'file-unreadable')
      return nothing
    case 'too-large':
      findings.add('file-too-large')
      return nothing
    case 'unreadable':
      findings.add('file-unreadable')
      return nothing
    case 'read':
      if (file !== 'SKILL.md') findings.add('skill-file-case', `It is called ${file}.`)
      if (!isUtf8(read.bytes)) findings.add('not-utf8')
      return parseSkill(decoder.decode(read.bytes), directory, findings)
  }
}

/** The mark is kept, so that it can be reported. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

function checkReferences({ references }: ParsedSkill, listing: FolderListing, findings: Findings): void {
  if (references.length === 0) return
  const there = new Set([...listing.resources, ...listing.folders, listing.skillFile ?? 'SKILL.md', 'SKILL.md', ''])
  for (const { path, line, leaves } of references) {
    if (leaves) findings.add('reference-leaves-skill', `${path}:`, line)
    else if (!there.has(path) && !leadsOut(path, listing.escapes))
      findings.add('missing-referenced-file', `${path}:`, line)
  }
}

/** The link that it goes through was reported already. */
function leadsOut(path: string, escapes: ReadonlySet<string>): boolean {
  if (escapes.size === 0) return false
  const parts = path.split('/')
  return parts.some((_, index) => escapes.has(parts.slice(0, index + 1).join('/')))
}
