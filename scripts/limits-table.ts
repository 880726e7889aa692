/** The limits on what one caller can hold of each route, as Markdown tables. Pure. */

import {
  BODY_GRACE_MS,
  BODY_ROOMS,
  CODE_TRIES,
  CONNECTIONS,
  CONSOLE_STREAMS,
  INBOX_STREAMS,
  LONGEST_CODE_DELAY_MS,
  MAX_SAMPLE_BYTES,
  MAX_SIGNING_BODY_BYTES,
  MAX_SMALL_BODY_BYTES,
  MIN_BODY_BYTES_PER_SECOND,
  PASSWORDS,
  PICTURE_PLACES,
  PREVIEW_PLACES,
  PROVIDER_TIMEOUT_MS,
  SIGN_IN_WINDOW_MS,
  SIGN_INS_PER_ACCOUNT,
  SIGN_INS_PER_ADDRESS,
  SIGN_ONS_PER_ADDRESS,
  SILENT_CONNECTION_MS,
  STRANGERS,
  STREAM_LIFE_MS,
  TURNS,
  VERIFICATION_PLACES,
} from '../server/choices.ts'
import { operator } from '../server/operations/operator/table.ts'
import { successOf } from '../server/operations/perform.ts'
import type { Row } from '../server/operations/row.ts'
import { sandbox } from '../server/operations/sandbox/table.ts'
import { sender } from '../server/operations/sender/table.ts'
import { signer } from '../server/operations/signer/table.ts'

const MIB = 1024 * 1024
const kib = (bytes: number) => (bytes >= MIB ? `${bytes / MIB} MiB` : `${bytes / 1024} KiB`)
const inMinutes = (ms: number) => `${ms / 60_000} minutes`
const SIGN_IN = `_sign-in_, _body_ of ${kib(MAX_SMALL_BODY_BYTES)}`
const CODE =
  `_body_ of ${kib(MAX_SMALL_BODY_BYTES)}; ${CODE_TRIES} wrong codes of an account, then a wait before each, up to ` +
  inMinutes(LONGEST_CODE_DELAY_MS)
const SIGN_ON =
  `${SIGN_ONS_PER_ADDRESS} sign-ins of a network that were begun and not ended, in ${inMinutes(SIGN_IN_WINDOW_MS)}; ` +
  `${PROVIDER_TIMEOUT_MS / 1000} seconds for each call to the provider`

/** The limits that the routes name, and what each says. */
const limits: Readonly<Record<string, string>> = {
  connection:
    `${CONNECTIONS.each} of a network and ${CONNECTIONS.total} in all, those of trusted proxies in all alone; 20 seconds for headers, ` +
    `${inMinutes(SILENT_CONNECTION_MS)} without a byte`,
  'look-up':
    'requests that come at the same time with one key or session share one look-up of it in the store; of keys that this process has not ' +
    `found before, ${STRANGERS.atOnce} are looked up at once, and of sessions as many, each network in its turn; ${STRANGERS.waiting.each} ` +
    `of a network wait, and ${STRANGERS.waiting.total} in all`,
  turns:
    `${TURNS.atOnce.each} requests at once of a key or person, ${TURNS.atOnce.group} of an organization or signer; ` +
    `${TURNS.waiting.each} more of a key or person wait, and ${TURNS.waiting.group} of an organization`,
  body:
    `${kib(BODY_ROOMS.calls.each)} of bodies in memory of a key or person, documents half of \`--body-memory\`; ` +
    `${BODY_GRACE_MS / 1000} seconds to arrive, and one more for each ${MIN_BODY_BYTES_PER_SECOND / 1024} KiB`,
  answer: `${kib(BODY_ROOMS.answers.each)} of documents, pictures, lists, and exports that are sent and not read, for as long as their size allows`,
  streams: `a stream ends with its session or key, and after ${inMinutes(STREAM_LIFE_MS)}`,
  'sign-in':
    `${SIGN_INS_PER_ADDRESS} failures of a network and ${SIGN_INS_PER_ACCOUNT} of an account in ${inMinutes(SIGN_IN_WINDOW_MS)}; ` +
    `${PASSWORDS.atOnce} passwords are checked at once, and ${PASSWORDS.waiting} wait`,
}

/** The routes that are in no table of rows, with the limits of each besides those of connections. */
export const otherRoutes: Readonly<Record<string, string>> = {
  'GET /ready': 'one look-up at a time for all who ask; 2 seconds',
  'GET /metrics': 'a port of its own, 50 connections',
  'GET /': 'a file of the package',
  'GET /console': 'a file of the package',
  'GET /docs': 'a file of the package',
  'GET /inbox': 'a file of the package',
  'GET /verify': 'a file of the package',
  'GET /sandbox': 'a file of the package',
  'GET /sandbox/teams': 'a list of at most as many sandboxes as the process was started with',
  'GET /favicon.ico': 'a file of the package',
  'GET /web': 'files of the package',
  'GET /openapi.json': 'built once; in a sandbox with examples of its own tasks',
  'GET /admin/v1/openapi.json': 'built once',
  'GET /sandbox/v1/openapi.json': 'built once',
  'GET /account/api/session': '_look-up_',
  'POST /account/api/session': SIGN_IN,
  'DELETE /account/api/session': '_look-up_',
  'DELETE /account/api/sessions': '_look-up_',
  'POST /account/api/password': SIGN_IN,
  'GET /account/api/second-factor': '_look-up_',
  'POST /account/api/second-factor': SIGN_IN,
  'POST /account/api/second-factor/code': SIGN_IN,
  'POST /account/api/second-factor/recovery-codes': SIGN_IN,
  'POST /account/api/second-factor/removal': SIGN_IN,
  'POST /account/api/session/code': CODE,
  'POST /account/api/session/second-factor': CODE,
  'POST /account/api/session/second-factor/code': CODE,
  'POST /account/api/sign-on': SIGN_ON,
  'GET /account/sign-on': SIGN_ON,
  'GET /notices/off': 'a file of the package',
  'POST /notices/off': 'one look-up by a key of 128 random bits',
  'POST /sandbox/catch/:name': 'a body of 64 KiB, 50 that wait for an answer; in a sandbox alone',
}

const bodies: Readonly<Record<NonNullable<Row['reads']>, string>> = {
  call: kib(MAX_SMALL_BODY_BYTES),
  signing: kib(MAX_SIGNING_BODY_BYTES),
  sample: kib(MAX_SAMPLE_BYTES),
  document: '`--max-attachment-bytes` as Base64',
  verification: 'the largest document',
}

/** Limits of a row that its facts do not say. */
const ofRow: Readonly<Record<string, string>> = {
  checkHealth: 'one look-up at a time for all who ask; 5 seconds',
  followInbox: `_streams_: ${placesOf(INBOX_STREAMS, 'session', 'signer')}`,
  followChanges: `_streams_: ${placesOf(CONSOLE_STREAMS, 'key or session', 'organization')}`,
  verifyDocument: `${VERIFICATION_PLACES.each} at once of a network, ${VERIFICATION_PLACES.total} in all`,
  previewInk: `${PREVIEW_PLACES.each} at once of a signer, ${PREVIEW_PLACES.total} in all`,
  ...Object.fromEntries(
    ['readPages', 'readPage', 'previewPage', 'readSignedPages', 'readSignedPage'].map((name) => [
      name,
      `pages being drawn: ${placesOf(PICTURE_PLACES, 'session', 'signer')}`,
    ]),
  ),
  listRequests: '8 that wait for requests, of an organization',
}

function placesOf(places: { total: number; group: number; each: number }, one: string, group: string): string {
  return `${places.each} of a ${one}, ${places.group} of ${group === 'organization' ? 'an' : 'a'} ${group}, ${places.total} in all`
}

/** Returns the limits of a row. Throws when it is open to anyone and has none. */
export function limitsOf(name: string, row: Row): string {
  const [, answer] = successOf(row)
  const isOpen = row.who.includes('anybody')
  const found = [
    ...(isOpen || answer === 'stream' ? [] : ['_turns_']),
    ...(row.body ? [`_body_ of ${bodies[row.reads ?? 'call']}`] : []),
    ...(row.perNetwork
      ? [`${row.perNetwork.tries} ${row.perNetwork.of} of a network in ${row.perNetwork.windowMs / 1000} seconds`]
      : []),
    ...(row.atOnce ? [`${row.atOnce.each} at once of a key or person, ${row.atOnce.total} in all`] : []),
    ...(answer === null || answer === 'stream' || isOpen ? [] : ['_answer_']),
    ...(ofRow[name] ? [ofRow[name]] : []),
  ]
  if (answer === 'stream' && !ofRow[name]) throw new Error(`${name} is a stream without a limit.`)
  if (found.length === 0) throw new Error(`${name} is open to anyone without a limit.`)
  return found.join('; ')
}

export function limitsTables(): string {
  const tables = { sender, signer, operator, sandbox }
  const rows = Object.values(tables).flatMap((table) =>
    Object.entries<Row>(table as unknown as Record<string, Row>).map(([name, row]) => [
      `\`${row.method.toUpperCase()} ${row.path}\``,
      limitsOf(name, row),
    ]),
  )
  const others = Object.entries(otherRoutes).map(([route, limit]) => [`\`${route}\``, limit])
  const named = Object.entries(limits).map(([name, limit]) => [`_${name}_`, limit])
  return [tableOf(['limit', 'means'], named), tableOf(['route', 'limits'], [...rows, ...others])].join('\n\n')
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]!.length)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
