import { spawn } from 'node:child_process'

/** Runs `sh` blocks of a page in one shell, against this server, and tells what each printed. */
export async function printedBy(
  blocks: readonly string[],
  url: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const shell = spawn('sh', ['-s'], { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, ...environment } })
  let said = ''
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const mark = '\n-- next --\n'
  shell.stdin.end(blocks.map((block) => block.replace('http://127.0.0.1:4100', url)).join(`printf '${mark}'\n`))
  await new Promise((closed) => shell.once('close', closed))
  return said.split(mark)
}

/** What a page says is printed: `…` stands for anything. */
export const printedPattern = (text: string): RegExp =>
  new RegExp(
    `^\\s*${text
      .trim()
      .split('…')
      .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
      .join('[\\s\\S]*')}\\s*$`,
  )
