/**
 * `npm run soak`: the built service under mixed load for half an hour, or as long as `--minutes` says; `--storm 40` sends so
 * many documents of 25 MiB at once instead. Loopback only, on a folder of its own. The exit code is 1 when memory grew, an
 * error came or something was lost.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { endure } from './soak/endure.ts'
import { startService } from './soak/service.ts'
import { storm } from './soak/storm.ts'

const DEFAULT_MINUTES = 30

const { minutes, storm: documents, seed } = options()
const print = (line: string): void => void process.stdout.write(`${line}\n`)
const folder = mkdtempSync(join(tmpdir(), 'countersign-soak-'))
const service = await startService(folder)
try {
  const faults =
    documents === null ? await endure(service, minutes, seed, print) : await storm(service, documents, print)
  const code = await service.stop()
  if (code !== 0) faults.push(`the service ended with ${code}`)
  faults.push(...service.faults().map((fault) => `the service logged ${fault}`))
  for (const fault of faults) print(`FAULT  ${fault}`)
  print(faults.length === 0 ? 'All held.' : `${faults.length} faults.`)
  process.exitCode = faults.length === 0 ? 0 : 1
} finally {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
}

function options() {
  const given = readOptions()
  const numberOf = (name: keyof typeof given): number | null => {
    if (given[name] === undefined) return null
    const number = Number(given[name])
    return number > 0 ? number : refuse(`--${name}: a number above 0`)
  }
  return { minutes: numberOf('minutes') ?? DEFAULT_MINUTES, storm: numberOf('storm'), seed: numberOf('seed') ?? 1 }
}

function readOptions() {
  try {
    const options = { minutes: { type: 'string' }, storm: { type: 'string' }, seed: { type: 'string' } } as const
    return parseArgs({ options }).values
  } catch (failure) {
    return refuse((failure as Error).message)
  }
}

function refuse(message: string): never {
  process.stderr.write(`soak: ${message}\n`)
  process.exit(2)
}
