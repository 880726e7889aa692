/** Whether the host of a URL is this machine, by its name. A name that merely resolves to this machine is not meant. */
export const isLoopbackHost = (hostname: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
