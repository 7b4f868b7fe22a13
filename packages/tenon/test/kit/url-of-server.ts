import type { Running } from '../tenon-process.js'

/** Where a server that was started in a test listens: it prints that first. */
export function urlOfServer(server: Running): Promise<string> {
  let printed = ''
  return new Promise((resolve, reject) => {
    server.child.stdout?.on('data', (text: string) => {
      printed += text
      if (printed.includes('\n')) resolve((JSON.parse(printed) as { readonly url: string }).url)
    })
    void server.ended.then(({ stderr }) => reject(new Error(`ended before it listened:\n${stderr}`)))
  })
}
