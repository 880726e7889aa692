import { expect } from 'chai'
import iconv from 'iconv-lite'
import { parseMessage } from '../../../lib/hl7/parse-message.ts'
import { valueAt } from '../../../lib/hl7/value-at.ts'
import { workOfThread } from '../../support/load/work-of-thread.ts'

const HEADER = 'MSH|^~\\&|EPIC|LAKESIDE|CS|CS|20260115||MDM^T02^MDM_T02|MSG1|P|2.5.1'
/** MSH up to MSH-18, which names a character set. */
const headerIn = (set: string) => `${HEADER}||||||${set}`

const parsed = (text: string) => parseMessage(Buffer.from(text))
const read = (text: string, place: string) => valueAt(parsed(text), place)

/** Each row: what is tried, the message, a place in it, and the value that has to be there. */
const traps: [trap: string, message: string | Uint8Array, place: string, value: string][] = [
  ['segments that end with CR', `${HEADER}\rPID|1||WC1`, 'PID-3', 'WC1'],
  ['segments that end with LF', `${HEADER}\nPID|1||WC1\nPV1|1`, 'PID-3', 'WC1'],
  ['segments that end with CR and LF', `${HEADER}\r\nPID|1||WC1\r\nPV1|1`, 'PID-3', 'WC1'],
  ['blank lines, and blanks at the end', `${HEADER}\r\r\nPID|1||WC1\r\r  `, 'PID-3', 'WC1'],
  ['a byte order mark and the bytes of a frame', `\ufeff\x0b${HEADER}\rPID|1||WC1\r\x1c\r`, 'PID-3', 'WC1'],
  ['a line feed within a value', `${HEADER}\rOBX|1|TX|||one\ntwo\rOBX|2|TX|||three`, 'OBX-5', 'one\ntwo'],
  ['a line feed within a value, in a file of line feeds', `${HEADER}\nOBX|1|TX|||one\ntwo\nPV1|1`, 'OBX-5', 'one\ntwo'],
  ['a line break within a value', `${HEADER}\rOBX|1|TX|||one\r\ntwo|x\r\nOBX|2|TX|||three`, 'OBX-5', 'one\r\ntwo'],
  ['Ctrl-Z and bytes that fill a block at the end', `${HEADER}\rPV1|1|O\r\x1a\0\0`, 'PV1-2', 'O'],
  ['other delimiters', 'MSH#!*?%#EPIC\rPID#1##A!B%C*D', 'PID-3(1).2.2', 'C'],
  ['a fifth encoding character, of version 2.7', 'MSH|^~\\&#|EPIC\rPID|1||A\\P\\B', 'PID-3', 'A#B'],
  ['MSH-2 without a subcomponent', 'MSH|^~\\|EPIC\rPID|1||A&B', 'PID-3.1.2', 'B'],
  ['a repetition', `${HEADER}\rPID|1||WC1^^^LAKE^MR~NF2^^^NORTH^MR`, 'PID-3(2).4', 'NORTH'],
  ['a subcomponent', `${HEADER}\rPID|1||WC1|||||||1 Alder St&Alder St&1^^Duluth`, 'PID-11.1.1', ''],
  ['a second segment of a name', `${HEADER}\rOBX|1|TX|||one\rOBX|2|TX|||two`, 'OBX[2]-5', 'two'],
  [
    'a delimiter that is escaped',
    `${HEADER}\rPID|1||||Smith \\T\\ Sons\\F\\X\\S\\Y^Ann||19440130`,
    'PID-5',
    'Smith & Sons|X^Y',
  ],
  ['what stands after an escaped delimiter', `${HEADER}\rPID|1||||Smith \\T\\ Sons^Ann||19440130`, 'PID-7', '19440130'],
  ['an escaped escape character', `${HEADER}\rNTE|1||C:\\E\\F\\E\\x`, 'NTE-3', 'C:\\F\\x'],
  ['bytes in hexadecimal digits', `${HEADER}\rNTE|1||one\\X0D0A\\two\\x41\\`, 'NTE-3', 'one\r\ntwo\\x41\\'],
  ['characters in hexadecimal digits', `${headerIn('UNICODE UTF-8')}\rNTE|1||Jos\\XC3A9\\`, 'NTE-3', 'José'],
  ['a line break of formatted text', `${HEADER}\rOBX|1|FT|||one\\.br\\two`, 'OBX-5', 'one\ntwo'],
  [
    'escapes that are not known',
    `${HEADER}\rNTE|1||\\H\\bold\\N\\ \\Zabc\\ \\.sp+2\\`,
    'NTE-3',
    '\\H\\bold\\N\\ \\Zabc\\ \\.sp+2\\',
  ],
  ['escape characters that nobody escaped', `${HEADER}\rNTE|1||\\\\server\\share\\T`, 'NTE-3', '\\\\server\\share\\T'],
  ['an escape that has no end', `${HEADER}\rNTE|1||50\\T`, 'NTE-3', '50\\T'],
  ['a name of a property as an escape', `${HEADER}\rNTE|1||a\\toString\\b`, 'NTE-3', 'a\\toString\\b'],
  ['a value that deletes', `${HEADER}\rPID|1||||||""`, 'PID-7', '""'],
  ['a segment that is shorter', `${HEADER}\rPID|1`, 'PID-7', ''],
  ['Z-segments', `${HEADER}\rZPM|1|cert|20260101`, 'ZPM-3', '20260101'],
  ['the field separator', `${HEADER}`, 'MSH-1', '|'],
  ['the encoding characters, which are no value to be split', `${HEADER}`, 'MSH-2', '^~\\&'],
  ['the message type', `${HEADER}`, 'MSH-9.2', 'T02'],
  ['UTF-8 that is not named', `${HEADER}\rPID|1||||Núñez`, 'PID-5', 'Núñez'],
  ['ISO 8859-1', iconv.encode(`${headerIn('8859/1')}\rPID|1||||Núñez`, 'latin1'), 'PID-5', 'Núñez'],
  ['ISO 8859-15', iconv.encode(`${headerIn('8859/15')}\rPID|1||||Œuvré €`, 'iso-8859-15'), 'PID-5', 'Œuvré €'],
  [
    'a set by its usual name',
    iconv.encode(`${headerIn('WINDOWS-1252')}\rPID|1||||O’Brien`, 'win1252'),
    'PID-5',
    'O’Brien',
  ],
  ['GB 18030', iconv.encode(`${headerIn('GB 18030-2000')}\rPID|1||||山田`, 'gb18030'), 'PID-5', '山田'],
  ['a second set, which follows the first', `${headerIn('UNICODE UTF-8~8859/1')}\rPID|1||||Núñez`, 'PID-5', 'Núñez'],
  [
    'hexadecimal digits in the set of the message',
    iconv.encode(`${headerIn('8859/1')}\rNTE|1||Jos\\XE9\\`, 'latin1'),
    'NTE-3',
    'José',
  ],
]

/** Each row: what is wrong, the message, and what the refusal says. */
const refused: [fault: string, message: string | Uint8Array, says: RegExp][] = [
  ['nothing', '', /does not begin with MSH/],
  ['something else', 'PID|1||WC1', /does not begin with MSH/],
  ['a batch', `BHS|^~\\&\r${HEADER}`, /does not begin with MSH/],
  ['two messages', `${HEADER}\rPID|1\r${HEADER}\rPID|1`, /several messages/],
  ['a header that ends at once', 'MSH|', /MSH-2/],
  ['a delimiter that is named twice', 'MSH|^^\\&|EPIC', /same character twice/],
  ['the field separator as a component separator', 'MSH^^~\\&^EPIC', /MSH-2/],
  ['a letter as a delimiter', 'MSH|A~\\&|EPIC', /a letter/],
  [
    'Latin-1 that is not named',
    iconv.encode(`${HEADER}\rPID|1||||Núñez`, 'latin1'),
    /names no character set .* not in utf-8/,
  ],
  [
    'Latin-1 that is named UTF-8',
    iconv.encode(`${headerIn('UNICODE UTF-8')}\rPID|1||||Núñez`, 'latin1'),
    /not in utf-8, which its MSH-18 names/,
  ],
  ['UTF-8 that is named ASCII', `${headerIn('ASCII')}\rPID|1||||Núñez`, /not in ascii/],
  ['a set that nobody knows', `${headerIn('KLINGON')}\rPID|1`, /cannot be read/],
  ['a set of two bytes, which no frame can hold', `${headerIn('UNICODE UTF-16')}\rPID|1`, /cannot be read/],
]

describe('A message', () => {
  for (const [trap, message, place, value] of traps)
    it(`is read with ${trap}`, () => expect(valueAt(parseMessage(Buffer.from(message)), place)).to.equal(value))

  for (const [fault, message, says] of refused)
    it(`is refused with ${fault}`, () => expect(() => parseMessage(Buffer.from(message))).to.throw(says))

  it('is read in the character set of the settings when it names none', () => {
    const bytes = iconv.encode(`${HEADER}\rPID|1||||Núñez`, 'latin1')
    expect(valueAt(parseMessage(bytes, { characterSet: 'iso-8859-1' }), 'PID-5')).to.equal('Núñez')
  })

  it('is refused without a word of what it holds', () => {
    const bytes = iconv.encode(`${HEADER}\rPID|1||||Núñez-Secret`, 'latin1')
    expect(() => parseMessage(bytes))
      .to.throw()
      .with.property('message')
      .that.does.not.contain('Secret')
  })

  it('of 11 MB is read within a second', () => {
    const document = Buffer.alloc(8_400_000, 'PDF').toString('base64')
    const work = workOfThread()
    expect(read(`${HEADER}\rOBX|1|ED|||^application^pdf^Base64^${document}`, 'OBX-5.5')).to.equal(document)
    expect(work()).to.be.lessThan(1000)
  })

  it('has places that are refused when they are none', () => {
    for (const place of ['PID', 'PID-0', 'pid-3', 'PID-3.', 'PID-3(0)', 'PID-3.1.2.4'])
      expect(() => valueAt(parsed(HEADER), place), place).to.throw(TypeError, 'no place in a message')
  })
})
