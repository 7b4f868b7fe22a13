import type { PathAccess } from './landlock-order.js' with { 'resolution-mode': 'import' }

/** linux/landlock.h. */
const EXECUTE = 1n << 0n
const WRITE_FILE = 1n << 1n
const READ_FILE = 1n << 2n
const READ_DIR = 1n << 3n
const TRUNCATE = 1n << 14n
const IOCTL_DEV = 1n << 15n

/** Every right over files of the first version; `REFER` came with 2, `TRUNCATE` with 3, `IOCTL_DEV` with 5. */
const FIRST_VERSION = (1n << 13n) - 1n
const REFER = 1n << 13n

const READ = EXECUTE | READ_FILE | READ_DIR
/** What can be granted on something that is not a folder. */
const ON_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV

/** Abstract sockets and signals, from version 6 on. */
const SCOPES = 3n
/** TCP bind and connect, from version 4 on. */
const NETWORK = 3n

function handledFiles(version: number): bigint {
  let rights = FIRST_VERSION
  if (version >= 2) rights |= REFER
  if (version >= 3) rights |= TRUNCATE
  if (version >= 5) rights |= IOCTL_DEV
  return rights
}

/** `struct landlock_ruleset_attr` in the size that this version of the kernel knows. */
function rulesetAttributes(version: number): Buffer {
  const bytes = Buffer.alloc(version >= 6 ? 24 : version >= 4 ? 16 : 8)
  bytes.writeBigUInt64LE(handledFiles(version), 0)
  if (version >= 4) bytes.writeBigUInt64LE(NETWORK, 8)
  if (version >= 6) bytes.writeBigUInt64LE(SCOPES, 16)
  return bytes
}

/** `struct landlock_path_beneath_attr`, which is packed. */
function pathRule(version: number, fd: number, access: PathAccess, isFolder: boolean): Buffer {
  let rights = access === 'read' ? READ : access === 'list' ? READ_DIR : handledFiles(version)
  if (!isFolder) rights &= ON_FILES
  const bytes = Buffer.alloc(12)
  bytes.writeBigUInt64LE(rights & handledFiles(version), 0)
  bytes.writeInt32LE(fd, 8)
  return bytes
}

export = { rulesetAttributes, pathRule }
