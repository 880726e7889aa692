/** Makes messages that are hostile to their reader: by their delimiters, depth, length, bytes and escapes. The same for the same seed. */
import type { Random } from '../random.ts'
import { anOrder, mdm, oru, PDF, type Segments } from './an-order.ts'

export interface Hostile {
  /** How it is hostile, without its values. */
  what: string
  bytes: Uint8Array
}

/** What a field is filled with. */
const UNITS: readonly string[] = [
  ...['~', '^', '&', '|', '\\', '~^&', '&^~', '^~', 'a~', 'a^', '^a&b~', '""~', '"'],
  ...[
    '\\F\\',
    '\\E\\',
    '\\.br\\',
    '\\X0D0A\\',
    '\\XFF\\',
    '\\X',
    '\\Z',
    '\\.br\\A',
    '\\\\',
    '\\T\\\\S\\',
    '\\H\\x\\N\\',
    '\\P\\',
  ],
  ...['A', 'AAAA', 'A ', 'A~', 'A\n', 'JVBERi0', 'JVBERi0x~', '=', 'A=', `${PDF}~`, `${PDF} `, '+', '/'],
  ...['\0', '\x7f', '\x1b', '\t', ' ', '\u00a0', 'é', '山', '\u{1f600}', '\ufeff', '\u2028', '\ufffd'],
  ...['\n', '\n\n', '\r', '\r\n', '\n\r', '\nOBX', '\nA1', '␊'],
]

/** What a message has again and again after its own segments. */
const LINES: readonly string[] = [
  ...[
    'NTE|\r',
    'OBX|1|TX|1||x\r',
    'OBX|1|TX|PDF||JVBERi0x\r',
    'OBX|1|ED|PDF||AAAA\r',
    `OBX|1|TX|1||${PDF}\r`,
    'PID|1\r',
    'DG1|1||A\r',
  ],
  ...[
    '\r',
    '\n',
    '\r\n',
    '\r \r',
    ' \r',
    '\nNTE|',
    '\nOBX|1|TX|1||A',
    'ORC|NW\rOBR|1|1|1\r',
    'TXA|1\r',
    'ZZZ\r',
    'MSH|^~\\&|A\r',
    '?\r',
  ],
]

/** What a batch has again and again after its first lines. */
const BATCH_PARTS: readonly (string | ((size: number) => string))[] = [
  ...['\r', '\n', 'x\r', 'PID|1\r', 'BTS|1\r', 'BHS|^~\\&|A\r', 'BHS|^~\\&\rBTS|0\r', 'FTS|1\r', 'FHS|^~\\&\r', '?'],
  'MSH|^~\\&|A|B|C|D|1||ADT^A08|1|P|2.5.1\r',
  'MSH|^~\\&|\rPID|1\r',
  (size) => `MSH|^~\\&|${'~^&'.repeat(Math.min(20_000, Math.ceil(size / 3)))}\r`,
  (size) =>
    `MSH|^~\\&|A|B|C|D|1||MDM^T02|1|P|2.5.1\rPID|1\r${'OBX|1|TX|1||A\r'.repeat(Math.min(3500, Math.ceil(size / 13)))}`,
  (size) => Array.from({ length: Math.min(20_000, Math.ceil(size / 9)) }, (_, index) => `BTS|${index}\r`).join(''),
]

const ENCODINGS: readonly string[] = [
  ...[
    '^~\\&',
    '^~\\&#',
    '^^\\&',
    '^^^^',
    '~~~~',
    '^~\\',
    '^~',
    '^',
    '',
    '||||',
    '^~\\&#%',
    'ABCD',
    '1234',
    '    ',
    '\t\t\t\t',
  ],
  ...[
    '+~\\&',
    '^+\\&',
    '^~/&',
    '^~=&',
    '^~+/',
    '/+=&',
    '"~\\&',
    '^~\\"',
    '\u{1f600}~\\&',
    'é~\\&',
    '^\0\\&',
    '.*[]',
    '$^()',
    '-_{}',
    ']\\[^',
  ],
]

const SETS = [
  '',
  '',
  '',
  'UNICODE UTF-8',
  'ASCII',
  '8859/1',
  '8859/15',
  'GB 18030-2000',
  'ISO IR87',
  'BIG-5',
  'KLINGON',
  'UNICODE UTF-16',
  'UTF-7',
]

/** Repeats a text up to a length in bytes. */
const filled = (unit: string, bytes: number): string =>
  unit.repeat(Math.max(1, Math.floor(bytes / Buffer.byteLength(unit))))

/** @param size about as many bytes it has */
export function hostileMessage(random: Random, size: number): Hostile {
  const base = random.isSo() ? mdm : oru
  const kind = random.pick([
    'field',
    'field',
    'field',
    'lines',
    'lines',
    'header',
    'encoding',
    'set',
    'bytes',
    'noise',
    'batch',
  ] as const)
  switch (kind) {
    case 'field': {
      const unit = random.pick(UNITS)
      const [name, number] = placeIn(base, random)
      const changed = replaced(base, name, number, filled(unit, size))
      return { what: `${name}-${number} of ${JSON.stringify(unit).slice(0, 20)}`, bytes: anOrder(changed, base) }
    }
    case 'lines': {
      const line = random.isSo(0.2) ? differentLines(random, size) : random.pick(LINES)
      return {
        what: `lines of ${JSON.stringify(line).slice(0, 24)}`,
        bytes: Buffer.concat([anOrder({}, base), Buffer.from(filled(line, size))]),
      }
    }
    case 'header': {
      const unit = random.pick(UNITS)
      const number = 3 + random.below(19)
      return {
        what: `MSH-${number} of ${JSON.stringify(unit)}`,
        bytes: anOrder(replaced(base, 'MSH', number, filled(unit, size)), base),
      }
    }
    case 'encoding': {
      const encoding = random.pick(ENCODINGS)
      const bar = random.pick(['|', '|', '|', '^', 'A', '\r', '', '+'])
      const [name, number] = placeIn(base, random)
      const text = Buffer.from(anOrder(replaced(base, name, number, filled(random.pick(UNITS), size)), base)).toString()
      return {
        what: `MSH-1 ${JSON.stringify(bar)}, MSH-2 ${JSON.stringify(encoding)}`,
        bytes: Buffer.from(text.replace(/^MSH\|[^|]*/, () => `MSH${bar}${encoding}`)),
      }
    }
    case 'set': {
      const set = random.pick(SETS)
      const fill = filled(random.pick(['é', 'A', '山', '~', '\\X', '\x1b$B']), size)
      return {
        what: `MSH-18 ${set}`,
        bytes: anOrder({ ...replaced(base, 'OBX', 5, fill), MSH: `${base.MSH}||||||${set}` }, base),
      }
    }
    case 'bytes': {
      const chunk = random.bytes(997).map((byte) => (byte === 0x0b || byte === 0x1c ? 0x20 : byte))
      const noise = Buffer.alloc(size, chunk)
      return {
        what: 'bytes of any value in OBX-5',
        bytes: Buffer.concat([anOrder({ OBX: 'OBX|1|ED|PDF||' }, base), noise]),
      }
    }
    case 'noise': {
      const alphabet = ['|', '^', '~', '\\', '&', '\r', '\n', 'A', 'OBX|', 'PID|', '\0', ' ', '=']
      const chunk = Array.from({ length: 501 }, () => random.pick(alphabet)).join('')
      return {
        what: 'delimiters and line ends in any order',
        bytes: Buffer.concat([anOrder({}, base), Buffer.from(filled(chunk, size))]),
      }
    }
    case 'batch': {
      const begin = random.pick(['FHS|^~\\&|A\r', 'BHS|^~\\&|A\r', 'FHS|^~\\&|A\rBHS|^~\\&|B\r'])
      const part = random.pick(BATCH_PARTS)
      const lines = typeof part === 'string' ? part : part(size)
      return {
        what: `a batch of ${JSON.stringify(lines.slice(0, 60))}`,
        bytes: Buffer.from(begin + filled(lines, size)),
      }
    }
  }
}

/** Returns lines of a kind that differ from one another, of about as many bytes or less. */
function differentLines(random: Random, bytes: number): string {
  const lineOf = random.pick<(index: number) => string>([
    (index) => `ORC|Z${index}\r`,
    (index) => `ORC|NW|P${index}|F${index}\r`,
    (index) => `OBR|${index}|${index}|${index}${'|'.repeat(22)}Z${index}\r`,
    (index) => `OBX|${index}|ED|P${index}|${index}|JVBERi0x||||||Z${index}\r`,
    (index) => `PID|${index}||${index}^^^A${index}^MR\r`,
  ])
  return Array.from({ length: Math.min(20_000, Math.ceil(bytes / 20)) }, (_, index) => lineOf(index)).join('')
}

function placeIn(base: Segments, random: Random): [name: string, number: number] {
  const name = random.pick(Object.keys(base).filter((one) => one !== 'MSH' && base[one] !== null))
  return [name, random.isSo(0.3) && name === 'OBX' ? 5 : 1 + random.below(25)]
}

/** Returns the change that puts a text into a field of a segment. */
function replaced(base: Segments, name: string, number: number, text: string): Segments {
  const fields = String(base[name]).split('|')
  const at = name === 'MSH' ? number - 1 : number
  while (fields.length <= at) fields.push('')
  fields[at] = text
  return { [name]: fields.join('|') }
}
