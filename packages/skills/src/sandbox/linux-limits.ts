/** RLIMIT numbers of linux/resource.h, the same on x86-64 and arm64. */
export const RLIMIT = { cpu: 0, fileSize: 1, data: 2, core: 4, processes: 6, openFiles: 7, addresses: 9 } as const
