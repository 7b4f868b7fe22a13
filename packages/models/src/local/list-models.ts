import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isJsonObject } from '@tenon/kernel'
import { modelsFolder } from './data-folder.js'
import { type BrokenModel, type InstalledModel, type ModelManifest, SMALLEST_TOOL_CHOOSER } from './installed-model.js'

/** The models in a data folder, those that choose tools first, larger before smaller. An absent folder has none. */
export async function listModels(dataFolder: string): Promise<readonly (InstalledModel | BrokenModel)[]> {
  const folder = modelsFolder(dataFolder)
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const names = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')).map(({ name }) => name)
  const models = await Promise.all(names.map((name) => readModel(join(folder, name), name)))
  const size = (model: InstalledModel | BrokenModel): number => (model.kind === 'installed' ? model.parameters : 0)
  return models.toSorted((a, b) => size(b) - size(a) || a.name.localeCompare(b.name))
}

async function readModel(folder: string, name: string): Promise<InstalledModel | BrokenModel> {
  try {
    const manifest: unknown = JSON.parse(await readFile(join(folder, 'model.json'), 'utf8'))
    if (!isManifest(manifest))
      return { kind: 'broken', name, problem: 'model.json is not complete; add the model again' }
    const weights = join(folder, manifest.file)
    const { size } = await stat(weights)
    if (size !== manifest.bytes)
      return {
        kind: 'broken',
        name,
        problem: `the weights have ${size} bytes instead of ${manifest.bytes}; add the model again`,
      }
    return { ...manifest, kind: 'installed', name, weights, choosesTools: manifest.parameters >= SMALLEST_TOOL_CHOOSER }
  } catch {
    return { kind: 'broken', name, problem: 'the weights or model.json cannot be read; add the model again' }
  }
}

function isManifest(value: unknown): value is ModelManifest {
  return (
    isJsonObject(value) &&
    typeof value.file === 'string' &&
    !/[\\/]/.test(value.file) &&
    typeof value.bytes === 'number' &&
    typeof value.sha256 === 'string' &&
    typeof value.parameters === 'number' &&
    typeof value.trainedContext === 'number'
  )
}
