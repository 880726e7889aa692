/** Escapes of HL7 v2 that are no characters, in values that would be sent. */
import { expect } from 'chai'
import { readMapFile } from '../../../lib/mapping/map-file.ts'
import { mapHl7 } from '../../../lib/mapping/map-hl7.ts'
import { PDF } from '../../support/hl7/an-order.ts'
import { bodyOf, heldBy } from '../../support/hl7/what-became.ts'

const MAP = { documentTypes: { CMS485: { documentTypeId: 101 } }, signers: { '1173': '9999900019' } }
const MARSH = '9999900019^Marsh^Helen^^^^^^NPI^L^^^NPI'

interface Changed {
  set?: string
  family?: string
  given?: string
  address?: string
  mrn?: string
  facility?: string
  signer?: string
  document?: string
  parent?: string
  type?: string
  event?: string
}
const message = (changed: Changed): Buffer => {
  const { set = '', family = 'Rowan', given = 'Tess', address = '98 Birch Lane', mrn = 'WC100098' } = changed
  const { facility = 'WILLOW', signer = MARSH, document = 'DOC-1', parent = '', type = 'CMS485' } = changed
  const { event = 'T02' } = changed
  const segments = [
    `MSH|^~\\&|EPIC|LAKE|CS|CS|20260116080000||MDM^${event}|MSG1|P|2.5.1||||||${set}`,
    `PID|1||${mrn}^^^${facility}^MR||${family}^${given}^^^^^L||19520607|F|||${address}^^Duluth^MN^55802^^H||2185550198`,
    `TXA|1|${type}^Plan|AP|20260115||||||${signer}||${document}^EPIC|${parent}`,
    `OBX|1|ED|PDF^Document||^application^pdf^Base64^${PDF}||||||F`,
  ]
  return Buffer.from(`${segments.join('\r')}\r`, 'latin1')
}
const mapped = (changed: Changed, charset?: string) =>
  mapHl7(message(changed), readMapFile({ ...MAP, ...(charset !== undefined && { charset }) }))
const nameOf = (changed: Changed, charset?: string) => bodyOf(mapped(changed, charset)).patient.names[0]!.family

describe('A value that HL7 v2 escapes', () => {
  const ESCAPES = {
    'the beginning of ASCII': '\\C2842\\',
    'the beginning of another character set': '\\M2442\\',
    'the beginning of a character set without its end': '\\M2442',
    'three bytes of a character set': '\\M242843\\',
    highlighting: '\\H\\',
    'the end of highlighting': '\\N\\',
    'a line break of a format': '\\.sp\\',
    'an indent': '\\.in+4\\',
    'an escape of the sender': '\\Z12\\',
    'bytes without their end': '\\XC3BC',
    'a small x': '\\xc3bc\\',
    'an odd number of hexadecimal digits': '\\XC3B\\',
    'hexadecimal digits of a control character': '\\X1B\\',
    'the bytes of a character that was lost': '\\XEFBFBD\\',
  }
  for (const [what, sequence] of Object.entries(ESCAPES))
    it(`with ${what} is held in a name, an address, and an id`, () => {
      expect(heldBy(mapped({ family: `R${sequence}owan` })).join('; ')).to.match(/^PID-5\(1\): has /)
      expect(heldBy(mapped({ given: `${sequence}Tess` })).join('; ')).to.match(/^PID-5\(1\): has /)
      expect(heldBy(mapped({ address: `98 Birch Lane${sequence}` })).join('; ')).to.match(/^PID-11\(1\): has /)
      expect(heldBy(mapped({ mrn: `WC${sequence}100098` })).join('; ')).to.match(/^PID-3\(1\): has /)
      expect(heldBy(mapped({ facility: `WIL${sequence}LOW` })).join('; ')).to.match(/PID-3\(1\): has /)
      expect(heldBy(mapped({ document: `DOC-1${sequence}` })).join('; ')).to.match(/^TXA-12: has /)
    })

  const UNSEEN = {
    'a line break': '\\.br\\',
    'a line feed': '\\X0A\\',
    'a tab': '\\X09\\',
    'a blank of no width': '\\XE2808B\\',
  }
  for (const [what, sequence] of Object.entries(UNSEEN))
    it(`with ${what} is held in an id, and may be in an address`, () => {
      const reason = 'has a character that cannot be seen; an id is text in one line'
      const set = 'UNICODE UTF-8'
      expect(heldBy(mapped({ set, mrn: `WC${sequence}100098` }))).to.deep.equal([`PID-3(1): ${reason}`])
      expect(heldBy(mapped({ set, document: `DOC${sequence}1` }))).to.deep.equal([`TXA-12: ${reason}`])
      const parent = { set, event: 'T10', parent: `DOC${sequence}0^EPIC` }
      expect(heldBy(mapped(parent))).to.deep.equal([`TXA-13: ${reason}`])
      expect(heldBy(mapped({ set, event: 'T11', document: `DOC${sequence}1` }))).to.deep.equal([`TXA-12: ${reason}`])
      expect(bodyOf(mapped({ set, address: `98 Birch${sequence}Lane` })).document.externalDocId).to.equal('EPIC|DOC-1')
    })

  it('is held in the id of a signer, and in a document type', () => {
    expect(heldBy(mapped({ signer: MARSH.replace('9999900019', '9999900019\\C2842\\') })).join()).to.match(/TXA-10/)
    expect(heldBy(mapped({ signer: '1173\\M2442\\^Marsh^Helen' })).join()).to.match(/TXA-10/)
    expect(heldBy(mapped({ type: 'CMS485\\C2842\\' })).join()).to.match(/TXA-2/)
  })

  it('is held in a withdrawal, and in the id of what is replaced', () => {
    expect(heldBy(mapped({ event: 'T11', document: 'DOC-1\\C2842\\' })).join()).to.match(/has an escape/)
    expect(heldBy(mapped({ event: 'T10', parent: 'DOC-0\\M2442\\^EPIC' })).join()).to.match(/has an escape/)
    expect(mapped({ event: 'T11' })).to.include({ ok: true, action: 'retract' })
  })

  it('does not repeat the value in the reason', () => {
    const text = heldBy(mapped({ family: 'Ostrander\\H\\' })).join()
    expect(text).not.to.contain('Ostrander')
  })

  it('is sent where it represents a character, or is no escape', () => {
    expect(nameOf({ family: 'Row\\T\\an' })).to.equal('Row&an')
    expect(nameOf({ family: 'M\\XC3BC\\ller', set: 'UNICODE UTF-8' })).to.equal('M\u00fcller')
    expect(nameOf({ family: 'O\\Brien' })).to.equal('O\\Brien')
    expect(nameOf({ family: 'Hart\\E\\' })).to.equal('Hart\\')
    expect(bodyOf(mapped({ address: '98 Birch Lane\\.br\\Apt 2' })).patient.addresses[0]!.line).to.match(/^98 Birch/)
  })

  describe('in hexadecimal digits of another set than MSH-18 names', () => {
    const UTF_8 = ['\\XC3BC\\', '\\XC3\\\\XBC\\', '\\Xc3bc\\', '\\XE28099\\', '\\X4DC3BC6C\\']
    for (const set of ['8859/1', '8859/15', 'ISO IR100'])
      for (const bytes of UTF_8)
        it(`${bytes} with ${set} is held until the map names the set`, () => {
          const changed = { family: `M${bytes}ller`, set }
          expect(heldBy(mapped(changed)).join()).to.match(/^MSH-18: .*UTF-8/)
        })
    it('is read in the set of the map', () => {
      const changed = { family: 'M\\XC3BC\\ller', set: '8859/1' }
      expect(nameOf(changed, 'UTF-8')).to.equal('M\u00fcller')
      expect(nameOf(changed, 'ISO-8859-1')).to.equal('M\u00c3\u00bcller')
      expect(nameOf({ family: 'M\\X83\\ller', set: '8859/1' }, 'Windows-1252')).to.equal('M\u0192ller')
    })
    it('is held, and not read, where there are more than are read', () => {
      for (const family of ['\\X41\\'.repeat(250_001), '\\X'.repeat(250_001), `\\X${'41'.repeat(2_000_000)}`])
        expect(heldBy(mapped({ family, set: '8859/1' })).join()).to.match(/more than|^PID-5/)
    })
    it('is held for letters of Windows-1252 under 8859', () => {
      expect(heldBy(mapped({ family: 'O\\X92\\Brien', set: '8859/1' })).join()).to.match(/^MSH-18: .*Windows-1252/)
    })
    it('is read where the bytes are of the set', () => {
      expect(nameOf({ family: 'M\\XFC\\ller', set: '8859/1' })).to.equal('M\u00fcller')
      expect(nameOf({ family: 'M\\X416C\\ller', set: '8859/1' })).to.equal('MAlller')
    })
    it('is held where the message has letters of the set as they are, too', () => {
      const changed = { family: 'M\u00fcller', given: 'Zo\\XC3AB\\', set: '8859/1' }
      expect(heldBy(mapped(changed)).join()).to.match(/^MSH-18: .*UTF-8/)
    })
  })
})
