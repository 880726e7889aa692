/**
 * Takes batches apart: a file (FHS … FTS) of batches (BHS … BTS) of messages, HL7 v2.5.1 chapter 2.10.3. Works on bytes: names of segments
 * and ends of lines are ASCII in every character set, and each message names a set and delimiters of its own. Pure.
 */
import { timestamp } from './acknowledgement.ts'
import { HL7_LIMITS } from './limits.ts'

/** A batch that was taken apart. */
export interface Batch {
  /** FHS, as text with a character for each byte; null when the batches come without it. */
  fileHeader: string | null
  /** The batches, in their order in the file. */
  groups: readonly BatchGroup[]
  /** Why the whole must not be used: wrong counts, a missing end, or segments out of their order. No text repeats a value of a message. */
  findings: readonly string[]
}

/** The messages between BHS and BTS. */
export interface BatchGroup {
  /** BHS; null when the messages come without it. */
  header: string | null
  /** Each as it came, in their order. */
  messages: readonly Uint8Array[]
}

/** How many messages and lines of a batch are read. */
export type BatchLimits = Readonly<Record<'messagesPerBatch' | 'segmentsPerBatch', number>>

/** In a batch, these begin something else than a segment of the message before them. Headers name the field separator. */
const STRUCTURE = /^(?:(?:FHS|BHS|MSH)(?=[!-/:-@[-`{-~])|(?:BTS|FTS)(?=[!-/:-@[-`{-~]|$))/

/** Returns whether the bytes begin with FHS or BHS, after byte order marks, blanks and control characters. */
export const isBatch = (bytes: Uint8Array): boolean => /^[FB]HS[!-/:-@[-`{-~]/.test(latin1(bytes, startOf(bytes), 4))

/**
 * Takes a batch apart. Returns null for anything that does not begin with FHS or BHS. Segments may end with CR, LF or both; where the
 * first line ends with CR, a line feed alone begins no segment, because it can be part of a value.
 */
export function takeApart(bytes: Uint8Array, limits: BatchLimits = HL7_LIMITS): Batch | null {
  if (!isBatch(bytes)) return null
  const reading = createReading(bytes, limits)
  let count = 0
  for (const line of linesOf(bytes, startOf(bytes)))
    if (++count > limits.segmentsPerBatch) {
      reading.cut('segments', 'segmentsPerBatch')
      break
    } else if (!reading.take(line)) break
  return reading.end()
}

/** The answer to a batch, beyond the answers to its messages. */
export interface BatchAnswer {
  /** The answers to the messages of each group, in their order. */
  answers: readonly (readonly Uint8Array[])[]
  at: Date
  /** Returns a control id, another one each time. */
  newId: () => string
}

/** Returns the batch that answers a batch: its headers go back to its sender and name the control ids of FHS-11 and BHS-11. */
export function acknowledgeBatch({ fileHeader, groups }: Batch, { answers, at, newId }: BatchAnswer): Uint8Array {
  const parts: Uint8Array[] = []
  const add = (line: string) => void parts.push(Buffer.from(`${line}\r`, 'latin1'))
  if (fileHeader !== null) add(answerTo(fileHeader, at, newId()))
  for (const [index, { header }] of groups.entries()) {
    const messages = answers[index] ?? []
    if (header !== null) add(answerTo(header, at, newId()))
    parts.push(...messages)
    if (header !== null) add(`BTS${header[3]}${messages.length}`)
  }
  if (fileHeader !== null) add(`FTS${fileHeader[3]}${groups.length}`)
  return Buffer.concat(parts)
}

/** Returns the control id of a batch (FHS-11, or BHS-11 of the first group); an empty text when there is none. */
export const controlIdOf = ({ fileHeader, groups }: Batch): string =>
  [fileHeader, groups[0]?.header ?? null].map((header) => (header === null ? '' : fieldAt(header, 11))).find(Boolean) ??
  ''

function answerTo(header: string, at: Date, id: string): string {
  const [name, field] = [header.slice(0, 3), header[3]!]
  const same = (number: number) => fieldAt(header, number)
  return [name, same(2), same(5), same(6), same(3), same(4), timestamp(at), '', '', '', id, same(11)].join(field)
}

/** Returns a field of FHS or BHS with its escapes; an empty text in a header that is longer than is read. */
function fieldAt(header: string, number: number): string {
  if (header.length > HL7_LIMITS.headerBytes) return number === 2 ? '^~\\&' : ''
  return header.split(header[3]!)[number - 1]?.trim() ?? ''
}

interface Line {
  start: number
  end: number
}

/** How many findings are kept. */
const MOST_FINDINGS = 100
/** The first letters of FHS and FTS, BHS and BTS, MSH. */
const INITIALS = new Set(Buffer.from('FBM'))

function createReading(bytes: Uint8Array, limits: BatchLimits) {
  const findings: string[] = []
  const groups: { header: string | null; messages: Uint8Array[] }[] = []
  let fileHeader: string | null = null
  let hasFileEnd = false
  /** Whether there is more than is read. */
  let isCut = false
  /** The group that has begun and not ended. */
  let open: (typeof groups)[number] | null = null
  let messageStart: number | null = null
  /** How often each of the names that begin or end something has come. */
  const counts = new Map<string, number>()

  const find = (finding: string) => {
    if (findings.length < MOST_FINDINGS && !findings.includes(finding)) findings.push(finding)
  }
  const textOf = ({ start, end }: Line) => latin1(bytes, start, end - start)
  const begin = (header: string | null) => {
    open = { header, messages: [] }
    groups.push(open)
    return open
  }
  const endMessage = (at: number) => {
    if (messageStart !== null) (open ?? begin(null)).messages.push(bytes.subarray(messageStart, at))
    messageStart = null
  }
  /** Senders may leave the count empty. */
  const checkCount = (line: Line, whole: string, parts: string, found: number) => {
    const text = textOf(line)
    const place = `${text.slice(0, 3)}-1`
    const value = (text.split(text[3] ?? '|')[1] ?? '').trim()
    if (!/\w/.test(value)) return
    const said = /^\d{1,9}(?!\w)/.exec(value)
    if (said === null) find(`${place} is not a number.`)
    else if (Number(said[0]) !== found)
      find(`${place} says that the ${whole} has ${Number(said[0])} ${parts}; it has ${found}.`)
  }

  const TAKEN: Readonly<Record<string, (line: Line) => void>> = {
    FHS(line) {
      if (fileHeader !== null || groups.length > 0) find('FHS is not at the beginning. Send each file by itself.')
      else fileHeader = textOf(line)
    },
    BHS(line) {
      if (open?.header != null) find('A batch (BHS) begins before the end of the one before it (BTS).')
      begin(textOf(line))
    },
    MSH(line) {
      if (hasFileEnd) find('A message follows the end of the file (FTS).')
      messageStart = line.start
    },
    BTS(line) {
      if (open === null) return find('BTS ends no batch.')
      checkCount(line, 'batch', 'messages', open.messages.length)
      open = null
    },
    FTS(line) {
      if (fileHeader === null) find('FTS ends no file: there is no FHS.')
      if (open?.header != null) find('BTS is missing: the batch may have been cut short.')
      if (hasFileEnd) find('FTS is there twice.')
      checkCount(line, 'file', 'batches', groups.length)
      open = null
      hasFileEnd = true
    },
  }

  const cut = (what: string, limit: keyof BatchLimits) => {
    findings.push(
      `The batch has more than ${limits[limit].toLocaleString('en-US')} ${what}, which is the most that is read.`,
    )
    isCut = true
  }

  return {
    cut,
    /** Returns false when there are more messages or batches than are read. */
    take(line: Line): boolean {
      const { start, end } = line
      const name = INITIALS.has(bytes[start]!)
        ? STRUCTURE.exec(latin1(bytes, start, Math.min(4, end - start)))?.[0]
        : undefined
      if (name === undefined) {
        if (messageStart === null && !isBlank(bytes, line)) find('A segment is outside of the messages of the batch.')
        return true
      }
      endMessage(start)
      const before = counts.get(name) ?? 0
      if (before >= limits.messagesPerBatch) {
        cut(name === 'MSH' ? 'messages' : `lines ${name}`, 'messagesPerBatch')
        return false
      }
      counts.set(name, before + 1)
      TAKEN[name]!(line)
      return true
    },
    end(): Batch {
      if (isCut) return { fileHeader, groups, findings }
      endMessage(bytes.length)
      if (open?.header != null) find('BTS is missing: the batch may have been cut short.')
      if (fileHeader !== null && !hasFileEnd) find('FTS is missing: the file may have been cut short.')
      return { fileHeader, groups, findings }
    },
  }
}

/** Yields each line, in one pass. */
function* linesOf(bytes: Uint8Array, from: number): Generator<Line, void> {
  let ofReturn = bytes.indexOf(RETURN, from)
  let ofFeed = bytes.indexOf(FEED, from)
  if (ofReturn >= 0 && ofReturn < ofFeed) ofFeed = -1
  const hasFeeds = ofFeed >= 0
  let start = from
  while (start < bytes.length) {
    const next = ofReturn < 0 || (ofFeed >= 0 && ofFeed < ofReturn) ? ofFeed : ofReturn
    const end = next < 0 ? bytes.length : next
    yield { start, end }
    start = end + (bytes[end] === RETURN && bytes[end + 1] === FEED ? 2 : 1)
    if (ofReturn >= 0 && ofReturn < start) ofReturn = bytes.indexOf(RETURN, start)
    if (hasFeeds && ofFeed >= 0 && ofFeed < start) ofFeed = bytes.indexOf(FEED, start)
  }
}

const RETURN = 0x0d
const FEED = 0x0a
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

const isPadding = (byte: number | undefined): boolean => byte !== undefined && (byte <= 0x20 || byte === 0x7f)

function startOf(bytes: Uint8Array): number {
  let start = 0
  while (isPadding(bytes[start])) start += 1
  if (BYTE_ORDER_MARK.every((byte, index) => bytes[start + index] === byte)) start += BYTE_ORDER_MARK.length
  while (isPadding(bytes[start])) start += 1
  return start
}

function isBlank(bytes: Uint8Array, { start, end }: Line): boolean {
  for (let at = start; at < end; at++) if (!isPadding(bytes[at])) return false
  return true
}

const latin1 = (bytes: Uint8Array, start: number, length: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + start, Math.max(0, Math.min(length, bytes.length - start))).toString(
    'latin1',
  )
