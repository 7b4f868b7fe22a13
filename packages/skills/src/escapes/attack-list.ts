import { statSync } from 'node:fs'
import { join } from 'node:path'
import { collectOutputs } from '../scripts/collect-outputs.js'
import type { Attack } from './attack.js'

const reads = (path: string): Pick<Attack, 'body' | 'javascript'> => ({
  body: `return T['secret'] in open(${path}, errors='replace').read()`,
  // Also by a way that leads up from where it is, and by what looks like a module.
  javascript: `const path = ${path}
for (const way of [path, '../../../../../../..' + path, 'file://' + path]) {
  try { if (fs.readFileSync(way, 'utf8').includes(T.secret)) return true } catch {}
}
return false`,
})
const connects = (family: string, address: string): string =>
  `s = socket.socket(socket.${family}, socket.SOCK_STREAM); s.settimeout(2); s.connect(${address}); return T['secret'] in s.recv(99).decode()`
const CONNECTS = `const { connect } = await import('node:net')
return new Promise((done) => connect(T.tcpPort, '127.0.0.1').once('data', (said) => done(String(said).includes(T.secret))).once('error', () => done(false)))`
const collected = (_: unknown, __: unknown, outputs: string): boolean => collectOutputs(outputs).files.length > 0

/** Every attack of the suite, in the order of the table in the docs. */
export const ATTACKS: readonly Attack[] = [
  { group: 'files', name: 'read a file of the home', ...reads("T['home'] + '/file'") },
  { group: 'files', name: 'read ssh keys', ...reads("T['home'] + '/.ssh/id_test'") },
  {
    group: 'files',
    name: 'read /etc/shadow',
    javascript: "return fs.readFileSync('/etc/shadow', 'utf8').length > 0",
    body: "return len(open('/etc/shadow').read()) > 0",
  },
  {
    group: 'files',
    name: 'see the names in a home',
    javascript: 'return fs.readdirSync(T.home).length > 0',
    body: "return len(os.listdir(T['home'])) > 0",
  },
  {
    group: 'files',
    name: 'learn whether a file exists',
    javascript: "return fs.statSync(T.home + '/file').size > 0",
    body: "return os.stat(T['home'] + '/file').st_size > 0",
  },
  {
    group: 'files',
    name: 'write outside',
    javascript:
      "for (const way of ['', '../../../../../..']) try { fs.writeFileSync(way + T.home + '/planted', 'x') } catch {}\nreturn fs.existsSync(T.home + '/planted')",
    body: "open(T['home'] + '/planted', 'w').write('x'); return True",
  },
  {
    group: 'files',
    name: 'write outside through a link',
    body: "os.symlink(T['home'] + '/linked', 'l'); open('l', 'w').write('x'); return True",
  },
  {
    group: 'files',
    name: 'write into the skill',
    javascript: "fs.writeFileSync(T.skill + '/planted', 'x'); return true",
    body: "open(T['skill'] + '/planted', 'w').write('x'); return True",
  },
  {
    group: 'files',
    name: 'change the mode of a file outside',
    body: "os.chmod(T['home'] + '/file', 0o600); return False",
    worked: ({ home }) => (statSync(join(home, 'file')).mode & 0o777) === 0o600,
  },
  {
    group: 'files',
    name: 'set the times of a file outside',
    body: "os.utime(T['home'] + '/file', (1, 1)); return False",
    worked: ({ home }) => statSync(join(home, 'file')).mtimeMs === 1000,
  },
  {
    group: 'files',
    name: 'import a file outside',
    javascript:
      "return JSON.stringify(await import(T.home + '/keys.json', { with: { type: 'json' } })).includes(T.secret)",
  },
  {
    group: 'files',
    name: 'plant a link among the outputs',
    body: "os.symlink(T['home'] + '/file', 'report.txt'); return False",
    worked: collected,
  },
  {
    group: 'files',
    name: 'plant a link to a folder among the outputs',
    body: "os.symlink(T['home'], 'reports'); return False",
    worked: collected,
  },
  {
    group: 'files',
    name: 'plant a second name of a file outside',
    body: "os.link(T['home'] + '/file', 'report.txt'); return False",
    worked: collected,
  },
  {
    group: 'files',
    name: 'plant a pipe that blocks who reads it',
    body: "os.mkfifo('report.txt'); return False",
    worked: collected,
  },
  {
    group: 'network',
    name: 'TCP to the host',
    javascript: CONNECTS,
    body: connects('AF_INET', "('127.0.0.1', T['tcpPort'])"),
  },
  {
    group: 'network',
    name: 'UDP to the host',
    body: "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', T['udpPort'])); time.sleep(0.1); return False",
    worked: (targets) => targets.heard(),
  },
  { group: 'network', name: 'a unix socket by its path', body: connects('AF_UNIX', "T['socketFile']") },
  {
    group: 'network',
    name: 'an abstract unix socket',
    body: connects('AF_UNIX', "'\\0' + T['abstract']"),
  },
  {
    group: 'network',
    name: 'a raw packet',
    body: 'return socket.socket(socket.AF_PACKET, socket.SOCK_RAW).bind(("lo", 0)) is None and len(socket.if_nameindex()) > 1',
  },
  {
    group: 'processes',
    name: 'run code of the engine around',
    javascript: `const around = console.log.constructor('return globalThis')()
return [around.tenonHost?.read, console.log, fs.readFileSync].some((fn) => {
  try { return fn.constructor('return process.binding ?? process.mainModule ?? process.dlopen')() !== undefined } catch { return false }
})`,
    only: 'javascript',
  },
  {
    group: 'environment',
    name: 'the host environment by /proc/1/environ',
    javascript: "return fs.readFileSync('/proc/1/environ', 'utf8').length > 0",
    body: "return any(len(p) > 1 and p.split('=')[0] not in os.environ for p in open('/proc/1/environ').read().split('\\0'))",
  },
  {
    group: 'environment',
    name: 'the environment of any process by /proc/*/environ',
    javascript:
      "return JSON.stringify([process.env, fs.readFileSync(`/proc/${T.victimPid}/environ`, 'utf8')]).includes(T.secret)",
    body: `
for pid in filter(str.isdigit, os.listdir('/proc')):
    try:
        if T['secret'] in open('/proc/' + pid + '/environ', errors='replace').read(): return True
    except OSError: pass
return False`,
  },
  {
    group: 'processes',
    name: 'see the processes of the host',
    body: "return os.path.exists('/proc/%d/cmdline' % T['victimPid']) and T['victimPid'] > 99 and 'setInterval' in open('/proc/%d/cmdline' % T['victimPid']).read()",
  },
  {
    group: 'processes',
    name: 'signal a process of the host',
    javascript: 'process.kill(T.victimPid, 0); return true',
    body: "os.kill(T['victimPid'], 0); return T['victimPid'] > 99",
  },
  {
    group: 'processes',
    name: 'trace a process of the host',
    body: "call(101, 16, T['victimPid'], 0, 0); return True",
  },
  {
    group: 'processes',
    name: 'limit a process of the host',
    body: "resource.prlimit(T['victimPid'], resource.RLIMIT_CORE); return True",
  },
  {
    group: 'processes',
    name: 'leave a daemon behind (setsid)',
    javascript:
      "const { spawn } = await import('node:child_process'); spawn(process.execPath, ['-e', 'setTimeout(() => {}, 30000)', T.token], { detached: true, stdio: 'ignore' }).unref(); return false",
    body: `
if os.fork() == 0:
    try: os.setsid()
    except OSError: pass
    if os.fork() == 0:
        for fd in range(3): os.close(fd)
        os.execv(sys.executable, [sys.executable, '-c', 'import time; time.sleep(30)', T['token']])
    os._exit(0)
os.wait(); time.sleep(0.2); return False`,
    worked: (targets) => targets.leftBehind() > 0,
  },
  {
    group: 'processes',
    name: 'outlive its time with a whole tree',
    javascript: 'for (;;);',
    body: `
for _ in range(3):
    if os.fork() == 0:
        os.execv(sys.executable, [sys.executable, '-c', 'import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(30)', T['token']])
signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(30); return False`,
    worked: (targets, { end }) => end !== 'timed-out' || targets.leftBehind() > 0,
  },
  {
    group: 'processes',
    name: 'push keys into a terminal (TIOCSTI)',
    body: `
try: os.setsid()
except OSError: pass
import fcntl, termios
fd = os.open(os.ttyname(os.openpty()[1]), os.O_RDWR); fcntl.ioctl(fd, termios.TIOCSTI, b'x'); return True`,
  },
  { group: 'kernel', name: 'mount', body: "ctypes_mount('.'); return True", harmful: true },
  { group: 'kernel', name: 'a user namespace of its own (unshare)', body: 'call(272, 0x10000000); return True' },
  {
    group: 'kernel',
    name: 'a user namespace of its own (clone)',
    body: 'pid = call(56, 0x10000011, 0, 0, 0, 0)\nif pid == 0: os._exit(0)\nreturn True',
  },
  { group: 'kernel', name: 'io_uring', body: 'call(425, 8, ctypes.create_string_buffer(120)); return True' },
  { group: 'kernel', name: 'the kernel keyring', body: "call(248, b'user', b'tenon', b'x', 1, -4); return True" },
  {
    group: 'kernel',
    name: 'a BPF program',
    body: 'a = (ctypes.c_uint32 * 18)(2, 4, 4, 1); call(321, 0, a, 72); return True',
  },
  { group: 'kernel', name: 'userfaultfd', body: 'call(323, 1); return True' },
  {
    group: 'kernel',
    name: 'performance events',
    body: 'a = ctypes.create_string_buffer(128); a[0] = 1; a[4] = 128; call(298, a, 0, -1, -1, 0); return True',
  },
  {
    group: 'kernel',
    name: 'kernel settings',
    body: "os.close(os.open('/proc/sys/kernel/core_pattern', os.O_WRONLY)); return True",
  },
  {
    group: 'kernel',
    name: 'more than its limits (setrlimit)',
    body: 'resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY)); return True',
  },
  {
    group: 'resources',
    name: 'a fork bomb',
    body: `
kids = []
try:
    for _ in range(300):
        pid = os.fork()
        if pid == 0: time.sleep(20); os._exit(0)
        kids.append(pid)
finally:
    for pid in kids: os.kill(pid, 9)
return True`,
    harmful: true,
  },
  {
    group: 'resources',
    name: 'a memory bomb',
    javascript:
      'const held = []; for (let n = 0; n < 1024; n++) held.push(new Uint8Array(1024 ** 2).fill(1)); return true',
    body: 'b = bytearray(1024 ** 3); b[::4096] = b"x" * (len(b) // 4096); return True',
  },
  {
    group: 'resources',
    name: 'a memory bomb of many processes',
    body: `
kids = []
for _ in range(6):
    pid = os.fork()
    if pid == 0:
        b = bytearray(200 * 1024 ** 2); b[::4096] = b'x' * (len(b) // 4096); time.sleep(0.5); os._exit(0)
    kids.append(pid)
return all(os.waitpid(pid, 0)[1] == 0 for pid in kids)`,
    harmful: true,
  },
  {
    group: 'resources',
    name: 'fill the disk with one file',
    javascript: "for (let n = 0; n < 512; n++) fs.appendFileSync('big', 'x'.repeat(1024 ** 2)); return true",
    body: "f = open('big', 'wb')\nfor _ in range(512): f.write(b'x' * 1024 ** 2)\nreturn True",
    harmful: true,
  },
  {
    group: 'resources',
    name: 'fill the disk with many files',
    javascript:
      "for (let n = 0; n < 200; n++) { fs.writeFileSync(`f${n}`, 'x'.repeat(4 * 1024 ** 2)); for (const until = Date.now() + 10; Date.now() < until; ); }\nfor (const until = Date.now() + 2000; Date.now() < until; );\nreturn true",
    body: "for n in range(200):\n    open('f%d' % n, 'wb').write(b'x' * 4 * 1024 ** 2)\n    time.sleep(0.01)\ntime.sleep(2); return True",
    harmful: true,
  },
  {
    group: 'resources',
    name: 'fill a file system in memory',
    body: `
for place in ['/dev/shm', '/tmp', '/dev', '/', '/run']:
    try:
        for n in range(8): open('%s/f%d' % (place, n), 'wb').write(b'x' * 32 * 1024 ** 2)
        return True
    except OSError: pass
return False`,
    harmful: true,
  },
  {
    group: 'resources',
    name: 'print without end',
    javascript: "for (;;) process.stdout.write('x'.repeat(65536))",
    body: "while True: sys.stdout.write('x' * 65536)",
    worked: (_, { end }) => end !== 'output-full',
  },
]
