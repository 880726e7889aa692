/** Shared by recording and replaying: how they listen, describe a folder, and end. */
import type { Server } from 'node:http'
import { listen, urlOf } from '../../http/listen.ts'
import { FolderError } from '../../recording/folder.ts'
import { CommandError } from '../command/command-error.ts'

/** Returns what turns the failure of a folder into one of the option that names it. */
export const forFolder =
  (flag: string) =>
  (failure: unknown): never => {
    throw failure instanceof FolderError ? new CommandError(`${flag}: ${failure.message}`) : failure
  }

/** Returns the URL at which the server then answers. */
export async function openPort(server: Server, port: number, host: string): Promise<string> {
  await listen(server, port, host)
  return urlOf(server)
}

/** Resolves when a signal has ended the process's work and every answer is out. A second signal does not wait. */
export function stoppedBySignal(server: Server): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false
    const stop = () => {
      if (isStopping) process.exit(1)
      isStopping = true
      server.close(() => resolve())
      server.closeIdleConnections()
    }
    process.on('SIGTERM', stop).on('SIGINT', stop)
  })
}
