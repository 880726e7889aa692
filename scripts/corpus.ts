/**
 * Tries messages that others have published: `CORPUS=<folder> npm run corpus`. Reads every file of the folder that is HL7 v2, or FHIR in
 * JSON, parses, writes and maps it, and prints what became of all. @medplum/core judges, field by field, whether a written message has
 * the values of the one that was read. With `OUT=<file>`, a line of JSON for each mapped or held message, to be judged by hand.
 * Exits with 1 when anything crashes or a value changes.
 */
import { createHash } from 'node:crypto'
import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Hl7Message } from '@medplum/core'
import { takeApart } from '../lib/hl7/batch.ts'
import { Hl7Error } from '../lib/hl7/hl7-error.ts'
import { type ReadMessage, type Segment, segmentsOf } from '../lib/hl7/message.ts'
import { parseMessage } from '../lib/hl7/parse-message.ts'
import { valueAt, valueIn } from '../lib/hl7/value-at.ts'
import { writeMessage } from '../lib/hl7/write-message.ts'
import { mapFhir } from '../lib/mapping/map-fhir.ts'
import { type MapFileInput, readMapFile } from '../lib/mapping/map-file.ts'
import { mapHl7 } from '../lib/mapping/map-hl7.ts'
import type { Mapped } from '../lib/mapping/mapped.ts'
import { demoOrder } from './demo-order.ts'

const { CORPUS, OUT, MAP } = process.env
if (CORPUS === undefined) {
  console.error('CORPUS: name the folder with the messages, for example CORPUS=/tmp/messages npm run corpus')
  process.exit(2)
}
if (OUT !== undefined) writeFileSync(OUT, '')

/** A map as a sender without types for its ids would need it. */
const GENEROUS: MapFileInput = { patientIdTypes: ['MR', 'PI', 'MRN', 'PT', 'untyped'], processingIds: ['P', 'T', 'D'] }
const LARGEST = 20 * 1024 * 1024
const AT = Date.now()
const counts = {
  files: 0,
  'HL7 v2 messages': 0,
  'HL7 v2 messages with a line break in a value': 0,
  'HL7 v2 batches': 0,
  'FHIR resources': 0,
  duplicates: 0,
  'refused by the parser': 0,
  crashes: 0,
  'values compared': 0,
  'values changed by parse and write': 0,
  'bytes changed by parse and write': 0,
  mapped: 0,
  held: 0,
}
const reasons = new Map<string, number>()
const crashes: string[] = []
const changes: string[] = []
const known = new Set<string>()
const pdf = Buffer.from(await demoOrder('2026-01-15')).toString('base64')

for (const file of filesIn(CORPUS)) {
  counts.files += 1
  const bytes = readFileSync(file)
  const name = relative(CORPUS, file)
  if (/\.json$/i.test(file)) tryFhir(name, bytes)
  else for (const [index, message] of messagesOf(bytes).entries()) tryHl7(`${name}#${index + 1}`, message)
}

const byCount = [...reasons].toSorted(([, a], [, b]) => b - a)
for (const [what, count] of Object.entries(counts)) console.log(`${String(count).padStart(9)}  ${what}`)
console.log('\nHeld or refused, by reason (a message may have several):')
for (const [reason, count] of byCount.slice(0, 40)) console.log(`${String(count).padStart(9)}  ${reason}`)
for (const text of [...crashes, ...changes]) console.log(text)
process.exitCode = crashes.length + changes.length > 0 ? 1 : 0

function* filesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && entry.name !== '.git') yield* filesIn(path)
    else if (entry.isFile() && statSync(path).size <= LARGEST && isMessage(path)) yield path
  }
}

/** Whether a file is a message, by what it begins with; in FHIR, by the type of its resource. */
function isMessage(path: string): boolean {
  if (/\.json$/i.test(path)) return /"resourceType"\s*:/.test(readFileSync(path, 'utf8').slice(0, 100_000))
  return /^(?:[\s\p{Cc}]|\u{ef}\u{bb}\u{bf})*(?:MSH|FHS|BHS)[!-/:-@[-`{-~]/u.test(
    readFileSync(path, 'latin1').slice(0, 1000),
  )
}

/** Returns the messages of a batch; several messages in a file without FHS or BHS are divided before each MSH. */
function messagesOf(bytes: Buffer): readonly Uint8Array[] {
  const batch = takeApart(bytes)
  if (batch !== null) {
    counts['HL7 v2 batches'] += 1
    for (const finding of batch.findings) count(finding)
    return batch.groups.flatMap(({ messages }) => messages)
  }
  const starts = [...bytes.toString('latin1').matchAll(/(?<=^|[\r\n])MSH[!-/:-@[-`{-~]/g)].map(({ index }) => index)
  return starts.length < 2 ? [bytes] : starts.map((start, at) => bytes.subarray(start, starts[at + 1]))
}

function tryHl7(name: string, bytes: Uint8Array): void {
  if (isKnown(bytes)) return
  counts['HL7 v2 messages'] += 1
  guarded(name, () => {
    let message: ReadMessage
    try {
      message = parseMessage(bytes, { characterSet: 'utf-8' })
    } catch (failure) {
      if (!(failure instanceof Hl7Error)) throw failure
      counts['refused by the parser'] += 1
      return count(failure.message)
    }
    compare(name, bytes, message)
    became(name, mapHl7(withPdf(message, bytes), mapOf(message)))
  })
}

/** Compares what an independent parser reads of the message and of the same message after it was parsed and written. */
function compare(name: string, bytes: Uint8Array, message: ReadMessage): void {
  const written = writeMessage(message)
  // @medplum/core takes each line for a segment, so it reads a value that a line break has cut only once that is written as an escape.
  const isCut = message.segments.some((segment) => segment.texts.some((text) => /[\r\n]/.test(text)))
  if (isCut) counts['HL7 v2 messages with a line break in a value'] += 1
  const [before, after] = [isCut ? writeMessage(parseMessage(written)) : bytes, written].map((one) =>
    valuesOf(Buffer.from(one).toString('latin1')),
  )
  const places = new Set([...before!.keys(), ...after!.keys()])
  counts['values compared'] += before!.size
  for (const place of places) {
    if (before!.get(place) === after!.get(place)) continue
    counts['values changed by parse and write'] += 1
    changes.push(`CHANGED ${name} ${place}`)
  }
  const again = parseMessage(written)
  // Empty fields at the end of a segment are not written.
  const fieldsOf = ({ fields }: Segment) => fields.slice(0, fields.findLastIndex((field) => field.length > 0) + 1)
  const texts = (read: ReadMessage) => JSON.stringify(read.segments.map((one) => [one.name, fieldsOf(one)]))
  if (texts(again) !== texts(message)) changes.push(`READ DIFFERENTLY ${name}`)
  if (Buffer.compare(Buffer.from(bytes), written) !== 0) counts['bytes changed by parse and write'] += 1
}

/** Returns every value that is not empty by its place, as @medplum/core reads it. It takes a blank line for a segment. */
function valuesOf(text: string): Map<string, string> {
  const lines = text
    .replace(/^(?:[\s\p{Cc}]|\u{ef}\u{bb}\u{bf})+/u, '')
    .replace(/\p{Cc}+$/u, '')
    .split(/\r\n?|\n/)
    .filter((line) => /[^\s\p{Cc}]/u.test(line))
  const values = new Map<string, string>()
  for (const [at, segment] of Hl7Message.parse(lines.join('\r')).segments.entries())
    for (const [field, { components }] of segment.fields.entries()) {
      // Delimiters are not values.
      if (segment.name === 'MSH' && field < 2) continue
      for (const [repetition, parts] of components.entries())
        for (const [component, subcomponents] of parts.entries())
          for (const [subcomponent, value] of [subcomponents].flat().entries()) {
            const place = `${at + 1}:${segment.name}-${field}(${repetition + 1}).${component + 1}.${subcomponent + 1}`
            if (value.trim() !== '') values.set(place, value)
          }
    }
  return values
}

function tryFhir(name: string, bytes: Buffer): void {
  if (isKnown(bytes)) return
  counts['FHIR resources'] += 1
  guarded(name, () => {
    let json: unknown
    try {
      json = JSON.parse(bytes.toString())
    } catch {
      return count('not JSON')
    }
    const codes = [...bytes.toString().matchAll(/"code"\s*:\s*"([^"\\]{1,60})"/g)].map(([, code = '']) => code)
    became(name, mapFhir(json, mapWith(codes), AT))
  })
}

/** A message without a PDF gets one, so that the rest of it is judged. */
function withPdf(message: ReadMessage, bytes: Uint8Array): Uint8Array {
  const hasPdf = segmentsOf(message, 'OBX').some((segment) => /\^Base64\^/i.test(segment.textOf(5)))
  if (hasPdf || !/^(?:MDM|ORU|ORM|OML)$/.test(valueAt(message, 'MSH-9.1'))) return bytes
  const { field, component } = message.delimiters
  const value = ['', 'application', 'pdf', 'Base64', pdf].join(component)
  const rest = ['999', 'ED', 'PDF', '', value, '', '', '', '', '', 'F'].join(field)
  return Buffer.concat([writeMessage(message), Buffer.from(`OBX${field}${rest}\r`)])
}

function mapOf(message: ReadMessage): MapFileInput & ReturnType<typeof readMapFile> {
  const codes = [
    ['TXA', 2],
    ['OBR', 4],
    ['OBX', 3],
  ] as const
  const found = codes.flatMap(([name, field]) => segmentsOf(message, name).map((one) => valueIn(one, { field })))
  return readMapFile({ ...mapWith([...found, 'PDF']), signers: signersOf(message) }) as never
}

/** An NPI for every id of a person who could sign, as a table of the sender would have it. */
function signersOf(message: ReadMessage): Record<string, string> {
  const people = [
    ['TXA', 5],
    ['TXA', 9],
    ['TXA', 10],
    ['TXA', 11],
    ['ORC', 12],
    ['OBR', 16],
  ] as const
  const signers: Record<string, string> = {}
  for (const [name, field] of people)
    for (const segment of segmentsOf(message, name))
      for (const [[id = ''] = [], , , , , , , , [authority = ''] = []] of segment.field(field)) {
        if (id === '') continue
        signers[id] ??= npiFor(id)
        if (authority !== '') signers[`${authority}|${id}`] = signers[id]
      }
  return signers
}

/** Ten digits that are made of an id and end with the digit that checks an NPI. */
function npiFor(id: string): string {
  const digits = `9${createHash('sha256').update(id).digest().readUInt32BE().toString().padStart(8, '0').slice(0, 8)}`
  const sum = [...`80840${digits}`].toReversed().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

function mapWith(codes: readonly string[]): MapFileInput {
  const given: MapFileInput = MAP === undefined ? GENEROUS : (JSON.parse(readFileSync(MAP, 'utf8')) as MapFileInput)
  const table = Object.fromEntries(codes.filter(Boolean).map((code) => [code, { documentTypeId: 1 }]))
  return { ...given, documentTypes: { ...table, ...given.documentTypes } }
}

function became(name: string, mapped: Mapped): void {
  if (mapped.ok) counts.mapped += 1
  else {
    counts.held += 1
    for (const reason of mapped.held) count(reason)
  }
  if (OUT === undefined) return
  const shown = mapped.ok && mapped.action !== 'retract' ? { ...mapped, body: withoutFile(mapped.body) } : mapped
  appendFileSync(OUT, `${JSON.stringify({ name, ...shown })}\n`)
}

function withoutFile<B extends { document: object }>(body: B) {
  return { ...body, document: { ...body.document, attachment: undefined } }
}

function guarded(name: string, work: () => void): void {
  try {
    work()
  } catch (failure) {
    counts.crashes += 1
    crashes.push(`CRASHED ${name} ${(failure as Error).stack}`)
  }
}

function count(reason: string): void {
  // Codes of the sender would make a reason of each message one of its own.
  const kind = reason.replace(/"[^"]*"/g, '"…"').replace(/\[\d+\]|\(\d+\)|\b\d{2,}\b/g, '#')
  reasons.set(kind, (reasons.get(kind) ?? 0) + 1)
}

function isKnown(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes)
    .toString('latin1')
    .replace(/[\r\n]+/g, '\r')
    .trim()
  if (!known.has(text)) {
    known.add(text)
    return false
  }
  counts.duplicates += 1
  return true
}
