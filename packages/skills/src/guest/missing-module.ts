/** Told to a script that asks for more of Node than there is, whichever way it asks. */
export const missingModule = (name: string): string =>
  `The module ${name} is not there in the sandbox quickjs, which has fs, fs/promises, path, process, url and files of the job. Where bubblewrap, landlock or sandbox-runtime can be used, scripts have all of Node.`
