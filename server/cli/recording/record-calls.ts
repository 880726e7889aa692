/** Forwards calls until a signal comes, and writes each down with its answer. */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { profileOf } from '../../../lib/profile/parse-profile.ts'
import { pageCountInViewer } from '../../pdf/compare/pictures.ts'
import { FORMAT } from '../../recording/exchange.ts'
import { makeFolder, writeExchange } from '../../recording/folder.ts'
import { createRecorder } from '../../recording/recorder.ts'
import { createStandIns } from '../../recording/stand-ins.ts'
import type { Shell } from '../command/command.ts'
import { createLog } from '../command/create-log.ts'
import { printLine } from '../command/print-line.ts'
import { profileIn } from '../command/profile-in.ts'
import { someSettings } from '../settings/given-settings.ts'
import { forFolder, openPort, stoppedBySignal } from './listening.ts'

export interface Recording {
  url: string
  port: number
  /** The folder. */
  out: string
  /** The file of the profile. */
  profile?: string
}

export async function recordCalls({ url, port, out, profile: file }: Recording, shell: Shell): Promise<void> {
  const profile = profileOf(file === undefined ? undefined : await profileIn(file))
  const recording = randomUUID()
  await makeFolder(out, { format: FORMAT, recording, profile }).catch(forFolder('--out'))
  const log = await createLog(someSettings(['logLevel'], {}, shell.env).settings.logLevel)
  const recorder = createRecorder({
    url,
    profile,
    recording,
    standIns: createStandIns(pageCountInViewer),
    write: (exchange) => writeExchange(out, exchange),
    onFailure: (facts) => log.warn(facts, 'a call was not recorded'),
  })
  const server = createServer(recorder.handle)
  const baseUrl = await openPort(server, port, '127.0.0.1')
  printLine(shell, { baseUrl, out })
  await stoppedBySignal(server)
  printLine(shell, await recorder.settled())
}
