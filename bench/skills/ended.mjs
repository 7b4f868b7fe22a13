/** @param {import('node:child_process').ChildProcess} child @returns {Promise<number | null>} */
export const ended = (child) =>
  new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
    child.stdout?.resume()
    child.stderr?.resume()
    child.stdin?.end()
  })
