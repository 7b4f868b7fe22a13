const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

/** Whether an address is one of this machine. */
export const isLoopbackUrl = (url: string): boolean => LOOPBACK.test(new URL(url).hostname)
