// Confines itself as its order on file descriptor 3 says, then becomes the job. A process of its own, because what it
// gives up cannot be had back. CommonJS, because this start is on the way of every script and Node's loader of modules
// would take a quarter of it.
import fs = require('node:fs')
import rules = require('../sandbox/landlock-rules.cjs')

import type { LandlockOrder, PathAccess } from '../sandbox/landlock-order.js' with { 'resolution-mode': 'import' }

const order: LandlockOrder = JSON.parse(fs.readFileSync(3, 'utf8'))
fs.closeSync(3)
const koffi: typeof import('koffi') = require(order.koffi)

/** The same on all architectures. */
const LANDLOCK_CREATE_RULESET = 444
const LANDLOCK_ADD_RULE = 445
const LANDLOCK_RESTRICT_SELF = 446
const [SECCOMP, CAPSET] = process.arch === 'arm64' ? [277, 91] : [317, 126]

const CREATE_RULESET_VERSION = 1
const RULE_PATH_BENEATH = 1
const SECCOMP_SET_MODE_FILTER = 1
const PR_SET_PDEATHSIG = 1
const PR_CAPBSET_DROP = 24
const PR_SET_NO_NEW_PRIVS = 38
const PR_CAP_AMBIENT = 47
const PR_CAP_AMBIENT_CLEAR_ALL = 4
const CAPABILITY_VERSION_3 = 0x20080522
const CAPABILITIES = 64
const F_SETFD = 2
const O_PATH_CLOEXEC = 0o12000000
const SIGKILL = 9
const SIGPIPE = 13

// That of this process, by whatever name it goes on glibc, on musl and on either architecture.
const libc = koffi.load(null)
const syscall = libc.func('long syscall(long number, ...)')
const prctl = libc.func('int prctl(int, unsigned long, unsigned long, unsigned long, unsigned long)')
const setrlimit = libc.func('int setrlimit(int, void *)')
const setgroups = libc.func('int setgroups(size_t, void *)')
const setresgid = libc.func('int setresgid(uint32_t, uint32_t, uint32_t)')
const setresuid = libc.func('int setresuid(uint32_t, uint32_t, uint32_t)')
const fcntl = libc.func('int fcntl(int, int, int)')
const signal = libc.func('void *signal(int, void *)')
const execve = libc.func('int execve(const char *, const char **, const char **)')

function fail(what: string): never {
  fs.writeSync(2, `${order.failure.says}${what} (error ${koffi.errno()})\n`)
  process.exit(order.failure.exitCode)
}

function must(what: string, result: unknown): void {
  if (Number(result) < 0) fail(what)
}

function ruleset(version: number): number {
  const attributes = rules.rulesetAttributes(version)
  const set = Number(syscall(LANDLOCK_CREATE_RULESET, 'void *', attributes, 'size_t', attributes.length, 'uint32_t', 0))
  must('the kernel refused a Landlock rule set', set)
  for (const path of order.readable) grant(version, set, path, 'read')
  for (const path of order.listable) grant(version, set, path, 'list')
  for (const path of order.writable) grant(version, set, path, 'write')
  return set
}

function grant(version: number, set: number, path: string, access: PathAccess): void {
  const fd = fs.openSync(path, O_PATH_CLOEXEC)
  const rule = rules.pathRule(version, fd, access, fs.fstatSync(fd).isDirectory())
  must(
    'the kernel refused a Landlock rule',
    syscall(LANDLOCK_ADD_RULE, 'int', set, 'int', RULE_PATH_BENEATH, 'void *', rule, 'uint32_t', 0),
  )
  fs.closeSync(fd)
}

function become(uid: number): void {
  must('the groups could not be dropped', setgroups(0, null))
  must('the group could not be changed', setresgid(uid, uid, uid))
  must('the user could not be changed', setresuid(uid, uid, uid))
}

/** A root caller would keep CAP_PERFMON and others otherwise, which reach past Landlock. */
function dropCapabilities(): void {
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
  for (let capability = 0; capability < CAPABILITIES; capability++) prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
  const header = Buffer.alloc(8)
  header.writeUInt32LE(CAPABILITY_VERSION_3, 0)
  must('the capabilities could not be dropped', syscall(CAPSET, 'void *', header, 'void *', Buffer.alloc(24)))
}

function limit(resource: number, value: number): void {
  const bytes = Buffer.alloc(16)
  bytes.writeBigUInt64LE(BigInt(value), 0)
  bytes.writeBigUInt64LE(BigInt(value), 8)
  must('a limit could not be set', setrlimit(resource, bytes))
}

function filterCalls(filter: Buffer): void {
  const program = Buffer.alloc(16)
  program.writeUInt16LE(filter.length / 8, 0)
  program.writeBigUInt64LE(BigInt(koffi.address(filter)), 8)
  must(
    'the filter for system calls was refused',
    syscall(SECCOMP, 'uint32_t', SECCOMP_SET_MODE_FILTER, 'uint32_t', 0, 'void *', program),
  )
}

const version = Number(
  syscall(LANDLOCK_CREATE_RULESET, 'void *', null, 'size_t', 0, 'uint32_t', CREATE_RULESET_VERSION),
)
if (version < 1) fail('this kernel has no Landlock')
const set = ruleset(version)
process.chdir(order.cwd)
if (order.uid !== undefined) become(order.uid)
prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)
must('new privileges could not be given up', prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
dropCapabilities()
must('Landlock refused to restrict', syscall(LANDLOCK_RESTRICT_SELF, 'int', set, 'uint32_t', 0))
const [file = '', ...rest] = order.command
const argv = [file, ...rest, null]
const env = [...Object.entries(order.env).map(([name, value]) => `${name}=${value}`), null]
// Node ignores it, and what is ignored stays so in the job: a pipe would never end.
signal(SIGPIPE, null)
// Node opens its own with close-on-exec.
for (const fd of [0, 1, 2]) fcntl(fd, F_SETFD, 0)
filterCalls(Buffer.from(order.filter, 'base64'))
for (const [resource, value] of order.limits) limit(resource, value)
execve(file, argv, env)
fail(`the program could not be started`)
