import { listModels, PROVIDERS, probeLocalServers, userDataFolder } from '@tenon/models'
import { loadConfig } from '../../config/load-config.js'
import { knownNames } from '../../host/known-names.js'
import { EXIT } from '../exit-code.js'
import type { CommonOptions, Io } from '../io.js'
import { safeText } from '../printer/safe-text.js'
import { table } from '../printer/table.js'
import { spokenBytes, spokenCount } from '../printer/words.js'

type Row = { readonly name: string; readonly from: string; readonly note: string }

/** `tenon models list` */
export async function listModelsHere(io: Io, options: CommonOptions & { readonly json?: boolean }): Promise<number> {
  const { config } = loadConfig({
    cwd: io.cwd,
    environment: io.environment,
    known: knownNames(),
    ...(options.config === undefined ? {} : { file: options.config }),
  })
  const [servers, installed] = await Promise.all([
    // Whoever asks for the list waits for a server that is busy; nobody waits for one that is not there.
    probeLocalServers({ env: io.environment, timeoutMs: 2_000 }),
    listModels(userDataFolder(io.environment)),
  ])
  const rows: Row[] = []
  for (const [name, model] of Object.entries(config.models ?? {}))
    rows.push({ name, from: 'configuration', note: [model.provider, model.model].filter(Boolean).join('/') })
  for (const { id, title, keys, defaultModel } of PROVIDERS)
    if (keys.some((key) => io.environment[key]))
      rows.push({ name: `${id}/${defaultModel}`, from: 'key in the environment', note: title })
  for (const { id, title, models } of servers)
    for (const { model, contextWindow } of models)
      rows.push({
        name: `${id}/${model}`,
        from: title,
        note: contextWindow === undefined ? '' : `${spokenCount(contextWindow)} tokens`,
      })
  for (const model of installed)
    rows.push({
      name: `local/${model.name}`,
      from: 'installed',
      note:
        model.kind === 'broken'
          ? model.problem
          : `${spokenBytes(model.bytes)}, ${spokenCount(model.trainedContext)} tokens${model.choosesTools ? '' : ', too small to choose tools'}`,
    })
  if (options.json) for (const row of rows) io.stdout.write(`${JSON.stringify(row)}\n`)
  else if (rows.length === 0) io.stderr.write('No model is to be had here. tenon doctor lists the ways to get one.\n')
  else io.stdout.write(table(rows.map(({ name, from, note }) => [safeText(name), from, safeText(note)])))
  return EXIT.completed
}
