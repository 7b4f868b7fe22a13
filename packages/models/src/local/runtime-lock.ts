import { ModelsError } from '../errors.js'

export type RuntimeManifest = { readonly dependencies: Readonly<Record<string, string>> }

type LockedPackage = {
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optional?: boolean
}
export type RuntimeLock = { readonly packages: Readonly<Record<string, LockedPackage>> }

export type Platform = { readonly os: string; readonly cpu: string }

/** The package with prebuilt binaries for a platform. Graphics cards other than Apple's need a package of their own. */
const PLATFORM_PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': '@node-llama-cpp/linux-x64',
  'linux-arm64': '@node-llama-cpp/linux-arm64',
  'linux-arm': '@node-llama-cpp/linux-armv7l',
  'linux-riscv64': '@node-llama-cpp/linux-riscv64',
  'darwin-arm64': '@node-llama-cpp/mac-arm64-metal',
  'darwin-x64': '@node-llama-cpp/mac-x64',
  'win32-x64': '@node-llama-cpp/win-x64',
  'win32-arm64': '@node-llama-cpp/win-arm64',
}

/**
 * Makes one platform's package a plain dependency of the committed lock, so that everything optional can be left out.
 * Versions and digests stay the locked ones.
 *
 * @throws ModelsError `local-runtime-failed` for a platform without binaries.
 */
export function promotePlatform(
  manifest: RuntimeManifest,
  lock: RuntimeLock,
  { os, cpu }: Platform,
): { readonly manifest: RuntimeManifest; readonly lock: RuntimeLock } {
  const name = PLATFORM_PACKAGES[`${os}-${cpu}`]
  const key = `node_modules/${name}`
  const locked = lock.packages[key]
  if (name === undefined || locked?.version === undefined)
    throw new ModelsError(
      'local-runtime-failed',
      `There is no local runtime for ${os} on ${cpu}. A server such as Ollama or llama.cpp on this machine can be used instead.`,
    )
  const dependencies = { ...manifest.dependencies, [name]: locked.version }
  const { optional: _, ...required } = locked
  return {
    manifest: { ...manifest, dependencies },
    lock: { ...lock, packages: { ...lock.packages, '': { ...lock.packages[''], dependencies }, [key]: required } },
  }
}
