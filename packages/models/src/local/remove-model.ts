import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ModelsError } from '../errors.js'
import { modelsFolder } from './data-folder.js'
import { listModels } from './list-models.js'

/** Takes a model off the disk. @throws ModelsError `local-model-unknown` */
export async function removeModel(dataFolder: string, name: string): Promise<void> {
  const models = await listModels(dataFolder)
  if (!models.some((model) => model.name === name)) {
    const names = models.map((model) => model.name).join(', ') || 'none'
    throw new ModelsError('local-model-unknown', `No local model "${name}" is installed (installed: ${names}).`)
  }
  const gone = join(modelsFolder(dataFolder), `.removed-${name}-${process.pid}`)
  // Renamed first, so that nobody finds half a model.
  await rename(join(modelsFolder(dataFolder), name), gone)
  await rm(gone, { recursive: true, force: true })
}
