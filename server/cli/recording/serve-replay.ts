/** `countersign serve --replay`: answers as a host did when it was recorded. Opens no store and keeps nothing. */
import { http } from '../../node-http.ts'
import { readFolder } from '../../recording/folder.ts'
import { createReplay } from '../../recording/replay.ts'
import { replayHandler } from '../../recording/replay-handler.ts'
import type { Command, Shell } from '../command/command.ts'
import { CommandError } from '../command/command-error.ts'
import { createLog } from '../command/create-log.ts'
import { printLine } from '../command/print-line.ts'
import { someSettings } from '../settings/given-settings.ts'
import { forFolder, openPort, stoppedBySignal } from './listening.ts'

const ALLOWED = ['port', 'host', 'logLevel'] as const

/** @param command of the service, whose other options have no meaning here */
export async function serveReplay(
  folder: string,
  flags: Readonly<Record<string, unknown>>,
  command: Command,
  shell: Shell,
): Promise<void> {
  const others = command.options.filter((option) => {
    const name = option.attributeName()
    return name in flags && !ALLOWED.some((allowed) => allowed === name)
  })
  if (others.length > 0)
    throw new CommandError(`--replay: not together with ${others.map(({ long }) => long).join(', ')}`)
  const { port, host, logLevel } = someSettings(ALLOWED, flags, shell.env).settings
  const recording = await readFolder(folder).catch(forFolder('--replay'))

  const log = await createLog(logLevel)
  const server = http.createServer(
    replayHandler(createReplay(recording), ({ operation, errors }) =>
      log.warn({ operation, errors }, 'no recorded call matches'),
    ),
  )
  const baseUrl = await openPort(server, port, host)
  printLine(shell, { baseUrl, mode: 'replay', apiKeys: [], calls: recording.exchanges.length })
  await stoppedBySignal(server)
}
