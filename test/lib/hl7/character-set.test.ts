/** The character set of a message: by MSH-18 or the setting, and never another one than its bytes are in. */
import { expect } from 'chai'
import iconv from 'iconv-lite'
import {
  decodeMessage,
  encodeMessage,
  encodeText,
  fittedTo,
  likelySet,
  setFor,
  textIn,
} from '../../../lib/hl7/character-set.ts'

const message = (set: string, text = '', encoding = '^~\\&') =>
  `MSH|${encoding}|EPIC|LAKE|CS|CS|20260115||MDM^T02|M1|P|2.5.1||||||${set}\rNTE|1||${text}`
const bytes = (set: string, text: string, as: string) => iconv.encode(message(set, text), as)
const read = (given: Uint8Array, fallback = 'UNICODE UTF-8', isNamedIgnored = false) => {
  try {
    const { text, characterSet } = decodeMessage(given, fallback, isNamedIgnored)
    return `${characterSet} ${text.slice(text.indexOf('NTE|1||') + 7)}`
  } catch (error) {
    return (error as Error).message
  }
}

describe('The character set of a message', () => {
  const sets: [name: string, as: string, text: string][] = [
    ['ASCII', 'ascii', 'Angstrom'],
    ['ISO IR6', 'ascii', 'Angstrom'],
    ['8859/1', 'iso-8859-1', 'Ångström'],
    [' 8859/2 ', 'iso-8859-2', 'Łódź'],
    ['8859/15', 'iso-8859-15', 'Œuvre €'],
    ['Windows-1252', 'windows-1252', '“Œuvre”'],
    ['ISO IR14', 'shift_jis', '山田'],
    ['GB 18030-2000', 'gb18030', '山田'],
    ['KS X 1001', 'euc-kr', '한국'],
    ['BIG-5', 'big5', '山田'],
    ['big-5', 'big5', '山田'],
    ['UNICODE', 'utf-8', '山田'],
    ['UNICODE UTF-8', 'utf-8', 'Ångström'],
    ['UTF-8', 'utf-8', 'Ångström'],
  ]
  for (const [name, as, text] of sets)
    it(`"${name}" is ${as}`, () => {
      expect(read(bytes(name, text, as))).to.equal(`${as} ${text}`)
      expect(read(bytes(`${name}~8859/7`, text, as))).to.equal(`${as} ${text}`)
      expect(read(bytes('', text, as), name), 'by the setting').to.equal(`${as} ${text}`)
      expect(read(bytes('8859/7', text, as), name, true), 'in place of MSH-18').to.equal(`${as} ${text}`)
      expect(Buffer.from(encodeMessage(message(name, text), '8859/7'))).to.deep.equal(bytes(name, text, as))
      expect(Buffer.from(encodeMessage(message('', text), name))).to.deep.equal(bytes('', text, as))
    })

  it('has a name that is known, and is not one of several bytes that no sender means', () => {
    for (const name of ['ISO IR 999', 'UTF-16', 'utf16le', 'UCS-2', 'ucs2', 'utf-32', 'base64', 'hex', 'UTF-7', 'x'])
      expect(setFor(name), name).to.equal(null)
    expect(read(bytes('ISO IR 999', 'a', 'ascii'))).to.contain('MSH-18 names a character set that cannot be read')
    expect(() => encodeMessage(message('ISO IR 999', 'a'), 'ASCII')).to.throw('MSH-18 names a character set')
  })

  it('is that of its bytes, or the message is refused with what to do', () => {
    const wrong = bytes('UNICODE UTF-8', 'Ångström', 'iso-8859-1')
    expect(read(wrong)).to.equal('The message is not in utf-8, which its MSH-18 names.')
    expect(read(bytes('', 'Ångström', 'iso-8859-1'))).to.match(
      /names no character set in MSH-18, and is not in utf-8\. Let/,
    )
    expect(read(bytes('ASCII', 'Ångström', 'utf-8'))).to.contain('is not in ascii')
    expect(read(bytes('8859/1', 'Ångström', 'iso-8859-1'), 'UTF-8', true)).to.match(/names no character set/)
    expect(textIn(Uint8Array.of(0x41, 0xc5), 'ascii')).to.equal(null)
    expect(textIn(Uint8Array.of(0x41), 'ascii')).to.equal('A')
    expect(textIn(Uint8Array.of(0xc5), 'iso-8859-1')).to.equal('Å')
    expect(textIn(Uint8Array.of(0x81, 0x20), 'shift_jis')).to.equal(null)
  })

  it('has every character that is written, or nothing is written', () => {
    expect([...encodeText('Å', 'iso-8859-1')]).to.deep.equal([0xc5])
    expect([...encodeText('\ufeffÅ', 'utf-8')]).to.deep.equal([0xef, 0xbb, 0xbf, 0xc3, 0x85])
    for (const text of ['山', '\u{1f600}', 'Ł'])
      expect(() => encodeText(text, 'iso-8859-1')).to.throw(
        'characters that the character set of its receiver does not',
      )
    expect(fittedTo('iso-8859-1', 'Å 山')).to.equal('Å ?')
    expect(fittedTo('utf-8', '\ufeffÅ 山')).to.equal('\ufeffÅ 山')
  })

  it('is named after padding, in any case, and with other delimiters', () => {
    const other = message('8859/2', 'Łódź', '$+~%').replaceAll('|', '!')
    expect(read(iconv.encode(other.replaceAll('!', '|'), 'iso-8859-2'))).to.contain('iso-8859-2')
    expect(decodeMessage(iconv.encode(`\u000b\r\n ${other}`, 'iso-8859-2'), 'UTF-8').characterSet).to.equal(
      'iso-8859-2',
    )
    expect(decodeMessage(Buffer.from(message('8859/2+8859/7', '', '^+\\&')), 'UTF-8').characterSet).to.equal(
      'iso-8859-2',
    )
    const marked = iconv.encode(`\xef\xbb\xbf${message('8859/2')}`, 'latin1')
    expect(decodeMessage(marked, 'UTF-8').characterSet, 'after a byte order mark').to.equal('iso-8859-2')
    expect(decodeMessage(Buffer.from('MSH'), '8859/2').characterSet).to.equal('iso-8859-2')
    expect(decodeMessage(Buffer.from('MSH|'), '8859/2').characterSet).to.equal('iso-8859-2')
  })
})

describe('A message that names one set and is in another', () => {
  const likely = (set: string, text: string, as: string) => likelySet(bytes(set, text, as))
  it('is found when its letters are UTF-8, in a set of one byte a letter or of several', () => {
    for (const set of ['8859/1', '8859/15', 'latin1', 'l1', 'iso-ir-100', 'Windows-1252', 'cp1252', 'GB 18030-2000'])
      expect(likely(set, 'Ångström', 'utf-8'), set).to.equal('UTF-8')
    for (const set of ['UNICODE UTF-8', 'UNICODE', '', 'ASCII', 'us-ascii', 'ISO IR6', 'ISO IR87', 'ISO IR 999'])
      expect(likely(set, 'Ångström', 'utf-8'), set).to.equal(null)
    expect(likely('8859/1', 'Ångström', 'iso-8859-1')).to.equal(null)
    expect(likely('8859/1', 'Angstrom', 'ascii')).to.equal(null)
  })

  it('is found when its letters are those of Windows, in a set of 8859 alone', () => {
    for (const set of ['8859/1', 'latin1', 'l1', 'iso-ir-100'])
      expect(likely(set, '“Æ”', 'windows-1252'), set).to.equal('Windows-1252')
    for (const set of ['Windows-1252', 'cp1252', 'macroman', 'koi8-r'])
      expect(likely(set, '“Æ”', 'windows-1252'), set).to.equal(null)
    const one = (byte: number) =>
      likelySet(Buffer.concat([Buffer.from(message('8859/1')), Buffer.from([0xc5, 0x41, byte, 0x41])]))
    expect([0x7f, 0x80, 0x9f, 0xa0].map(one)).to.deep.equal([null, 'Windows-1252', 'Windows-1252', null])
    expect(likelySet(Buffer.concat([Buffer.from(message('8859/1')), Buffer.from([0xc5, 0x41, 0x80, 0x41])]))).to.equal(
      'Windows-1252',
    )
  })

  it('is found in escapes of hexadecimal digits, those that follow each other taken together', () => {
    const escaped = (set: string, text: string) => likelySet(Buffer.from(message(set, text)))
    expect(escaped('8859/1', '\\XC385\\')).to.equal('UTF-8')
    expect(escaped('8859/1', 'x\\XC3\\\\X85\\x')).to.equal('UTF-8')
    expect(escaped('8859/1', 'x\\XC3\\ \\X85\\x')).to.equal('Windows-1252')
    expect(escaped('8859/1', '\\XC5\\')).to.equal(null)
    expect(escaped('8859/1', '\\XC5\\ \\XC385\\')).to.equal('UTF-8')
    expect(escaped('8859/1', '\\X93\\')).to.equal('Windows-1252')
    expect(escaped('Windows-1252', '\\X93\\')).to.equal(null)
    expect(escaped('Windows-1252', '\\XC385\\')).to.equal('UTF-8')
    expect(escaped('GB 18030-2000', '\\XC385\\'), 'two bytes of such a set').to.equal(null)
    expect(likelySet(Buffer.from(message('8859/1', '%XC385%', '^~%&')))).to.equal('UTF-8')
    for (const none of ['\\XC38\\', '\\XC385', '\\XGG\\', '\\X\\', 'XC385', '\\xC385\\'])
      expect(escaped('8859/1', none), none).to.equal(null)
    for (const before of ['\\XGG', '\\X', '\\XC'])
      expect(escaped('8859/1', `${before}\\XC385\\`), 'what ends no escape may begin one').to.equal('UTF-8')
  })
})
