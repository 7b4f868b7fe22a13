import { type ChildProcess, spawn } from 'node:child_process'

/**
 * Kills what is left when this process dies without a goodbye: a shell that is told the process groups through a pipe,
 * and acts when the pipe breaks. Windows has no shell for it; there a server ends when its stdin does.
 */
const SCRIPT = `trap '' HUP INT TERM QUIT
groups=' '
while read -r op group; do
  case $op in
    add) groups="$groups$group " ;;
    drop) rest=' '; for one in $groups; do [ "$one" = "$group" ] || rest="$rest$one "; done; groups=$rest ;;
  esac
done
[ "$groups" = ' ' ] && exit 0
for group in $groups; do kill -TERM "-$group" 2>/dev/null; done
sleep 1
for group in $groups; do kill -KILL "-$group" 2>/dev/null; done
exit 0`

let shell: ChildProcess | undefined
let watched = 0

/** Watches over a process group until the returned function is called. */
export function watchGroup(group: number): () => void {
  if (process.platform === 'win32') return () => {}
  tell(`add ${group}`)
  watched++
  let done = false
  return () => {
    if (done) return
    done = true
    watched--
    tell(`drop ${group}`)
    if (watched > 0) return
    shell?.stdin?.end()
    shell = undefined
  }
}

function tell(line: string): void {
  if (shell === undefined || shell.exitCode !== null || shell.signalCode !== null) shell = start()
  shell.stdin?.write(`${line}\n`)
}

function start(): ChildProcess {
  // A group of its own, so that a Ctrl-C for us does not end it first.
  const child = spawn('/bin/sh', ['-c', SCRIPT], { stdio: ['pipe', 'ignore', 'ignore'], detached: true, env: {} })
  child.on('error', () => {})
  child.stdin?.on('error', () => {})
  child.unref()
  ;(child.stdin as unknown as { unref?: () => void } | null)?.unref?.()
  return child
}
