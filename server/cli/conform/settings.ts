/** The options of `countersign conform`, checked before anything is sent: everything wrong is said at once. */
import { extname } from 'node:path'
import type { Shell } from '../command/command.ts'
import { CommandError } from '../command/command-error.ts'

/** The forms of a report, by the end of the name of its file. */
export const REPORTS = ['.html', '.json', '.xml'] as const

export interface ConformGiven {
  url: string
  key?: string
  secondKey?: string
  profile?: string
  learn?: string
  name?: string
  signer: string
  receiverPort: string
  receiverUrl?: string
  patience: string
  report?: string
  compare?: string
  yes?: boolean
  json?: boolean
}

export interface ConformSettings {
  baseUrl: string
  keys: { first: string; second?: string | undefined }
  signerNpi: string
  receiverPort: number
  receiverUrl: string | undefined
  patienceMs: number
}

const NAME = /^(?=.*\S).{1,60}$/
const LAST_PORT = 65_535

/** @throws CommandError that names every option that is wrong */
export function settingsOf(given: ConformGiven, environment: Shell['env']): ConformSettings {
  const first = given.key ?? environment.COUNTERSIGN_KEY ?? ''
  const second = given.secondKey ?? environment.COUNTERSIGN_SECOND_KEY
  const [port, patience] = [Number(given.receiverPort), Number(given.patience)]
  const checks: [isWrong: boolean, sentence: string][] = [
    [!isUrl(given.url), '--url: an absolute http or https URL without a user or a query'],
    [first === '', '--key is required, or COUNTERSIGN_KEY in the environment'],
    [second !== undefined && second === first, '--second-key: a key of another organization'],
    [!/^\d{10}$/.test(given.signer), '--signer: an NPI of ten digits'],
    [!(Number.isInteger(port) && port >= 0 && port <= LAST_PORT), '--receiver-port: a whole number up to 65535'],
    [given.receiverUrl !== undefined && !isUrl(given.receiverUrl), '--receiver-url: an absolute http or https URL'],
    [!(patience > 0 && patience <= 3600), '--patience: a number of seconds, up to 3600'],
    [given.name !== undefined && !NAME.test(given.name), '--name: text of 1 to 60 characters'],
    [given.report !== undefined && !isReport(given.report), '--report: a file that ends in .html, .json or .xml'],
  ]
  const wrong = checks.filter(([isWrong]) => isWrong).map(([, sentence]) => sentence)
  if (wrong.length > 0) throw new CommandError(`${wrong.join('; ')}.`)
  const { url: baseUrl, signer: signerNpi, receiverUrl } = given
  return { baseUrl, keys: { first, second }, signerNpi, receiverPort: port, receiverUrl, patienceMs: patience * 1000 }
}

function isUrl(text: string): boolean {
  const { protocol, username, search } = URL.parse(text) ?? {}
  return (protocol === 'http:' || protocol === 'https:') && username === '' && search === ''
}

const isReport = (file: string): boolean => REPORTS.some((end) => end === extname(file))
