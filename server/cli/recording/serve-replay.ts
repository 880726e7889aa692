/** `countersign serve --replay`: answers as a host did when it was recorded. Opens no store and keeps nothing. */
import { http } from '../../node-http.ts'
import { readFolder } from '../../recording/folder.ts'
import { createReplay } from '../../recording/replay.ts'
import { replayHandler } from '../../recording/replay-handler.ts'
import type { Command, Shell } from '../command/command.ts'
import { CommandError } from '../command/command-error.ts'
import { createLog, type GivenLevel } from '../command/create-log.ts'
import { printLine } from '../command/print-line.ts'
import { forFolder, openPort, stoppedBySignal } from './listening.ts'
import { portOf } from './port-of.ts'

interface Given extends GivenLevel {
  replay?: string
  port?: string
  host?: string
}

const ALLOWED = ['replay', 'port', 'host', 'json', 'logLevel']

/** @param command of the service, whose other options have no meaning here */
export async function serveReplay(given: Given, command: Command, shell: Shell): Promise<void> {
  const { replay: folder = '', port = '8090', host = '127.0.0.1' } = given
  const others = command.options.filter((option) => {
    const name = option.attributeName()
    return name in given && !ALLOWED.includes(name)
  })
  if (others.length > 0)
    throw new CommandError(`--replay: not together with ${others.map(({ long }) => long).join(', ')}`)
  const number = portOf(port, '--port')
  const recording = await readFolder(folder).catch(forFolder('--replay'))

  const log = await createLog(given, shell.env)
  const server = http.createServer(
    replayHandler(createReplay(recording), ({ operation, errors }) =>
      log.warn({ operation, errors }, 'no recorded call matches'),
    ),
  )
  const baseUrl = await openPort(server, number, host)
  printLine(shell, { baseUrl, mode: 'replay', apiKeys: [], calls: recording.exchanges.length })
  await stoppedBySignal(server)
}
