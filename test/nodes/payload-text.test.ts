/** Held payloads as text for a person, and back. */
import { expect } from 'chai'
import { payloadOf, textInJson, textOf } from '../../nodes/shared/held/payload-text.ts'
import { anOrder, mdm } from '../support/hl7/an-order.ts'

const DOCUMENT = 'JVBERi0x'.repeat(500)
const latin1 = (text: string) => Buffer.from(text, 'latin1')
const NAMED = `${mdm.MSH}||||||8859/1`

describe('the text of a held payload', () => {
  const PAYLOADS: Record<string, unknown> = {
    'HL7 with CR': Buffer.from(anOrder()),
    'HL7 with CRLF': Buffer.from(Buffer.from(anOrder()).toString().replaceAll('\r', '\r\n')),
    'HL7 with LF': Buffer.from(Buffer.from(anOrder()).toString().replaceAll('\r', '\n')),
    'HL7 with line feeds in a value': Buffer.from(anOrder({ PV1: 'PV1|1|O|WARD\nNORTH' })),
    'HL7 in the character set that it names': latin1(`${NAMED}\rPID|1||WC1||Ångström^Åse\r`),
    'HL7 in another one than it names': latin1(`${mdm.MSH}\rPID|1||WC1||Ångström^Åse\r`),
    'HL7 as text': `${NAMED}\rPID|1||WC1||Ångström^Åse\r`,
    'HL7 with a document': Buffer.from(anOrder({ OBX: `OBX|1|ED|||^^PDF^Base64^${DOCUMENT}` })),
    'a text with the bracket of a mark': `${DOCUMENT} ⟦1: 4000⟧`,
    'HL7 whose CRLF is at the end of a part of 1 MB': Buffer.from(`${'x'.repeat(1024 * 1024 - 1)}\r\nB\r\n`),
    'runs that are nearly as long as a document': `${'A'.repeat(999)}|`.repeat(100),
    'JSON of more than a hundred levels': JSON.parse(`${'[{"a":'.repeat(500)}1${'}]'.repeat(500)}`),
    'FHIR as an object': { resourceType: 'Bundle', entry: [{ data: DOCUMENT }, { data: `${DOCUMENT}=` }] },
    'FHIR as text': '{\n  "resourceType": "Bundle"\n}',
  }
  for (const [what, payload] of Object.entries(PAYLOADS))
    it(`gives back ${what} as it was, when nothing is changed`, () => {
      expect(payloadOf(textOf(payload), payload)).to.deep.equal(payload)
    })

  it('is the same in JSON, of which each part is written on its own', () => {
    const letters = ['"', '\\', '\u0001', '😀', 'x'.repeat(1024 * 1024 - 5), '😀', '\r']
    const payload = letters.join(' ')
    expect(JSON.parse(String(textInJson(payload)))).to.deep.equal({ text: textOf(payload) })
  })

  it('of JSON that is nested deeply has no indentation, and a depth that cannot be read is refused', () => {
    const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`)
    expect(textOf(nested(100))).to.contain('\n')
    expect(textOf(nested(101))).to.equal(JSON.stringify(nested(101)))
    expect(() => textOf(nested(100_000))).to.throw('neither text nor JSON')
  })

  it('has a line for each segment, and a mark in the place of a document', () => {
    const payload = Buffer.from(anOrder({ OBX: `OBX|1|ED|||^^PDF^Base64^${DOCUMENT}` }))
    const shown = textOf(payload).split('\n')
    expect(shown).to.have.length(6)
    expect(shown[4]).to.equal('OBX|1|ED|||^^PDF^Base64^⟦1: 4000⟧')
  })

  it('takes a correction over, in the character set of the message', () => {
    const kept = latin1(`${NAMED}\rPID|1||WC1||Ångström^Åse\r`)
    expect(payloadOf(textOf(kept).replace('Åse', 'Ása'), kept)).to.deep.equal(
      latin1(`${NAMED}\rPID|1||WC1||Ångström^Ása\r`),
    )
  })

  it('takes the character set over that a correction names', () => {
    const kept = latin1(`${mdm.MSH}\rPID|1||WC1||Ångström^Åse\r`)
    const corrected = textOf(kept).replace(String(mdm.MSH), `${mdm.MSH}||||||UNICODE UTF-8`)
    expect(String(payloadOf(corrected, kept))).to.contain('||Ångström^Åse\r')
  })

  const REFUSED: Record<string, [string, unknown, RegExp]> = {
    'a mark that stands for nothing': [
      'OBX|⟦2: 4000⟧',
      Buffer.from(DOCUMENT),
      /^payload: there is no document ⟦2: 4000⟧/,
    ],
    'a mark of another document': ['OBX|⟦1: 4001⟧', Buffer.from(DOCUMENT), /^payload: there is no document/],
    'characters that the set does not have': [`${NAMED}\rPID|1||WC1||Łódź\r`, latin1(`${NAMED}\r`), /^payload: MSH-18/],
    'what is no JSON any more': ['{"birthDate": 1948-03', { birthDate: '' }, /^payload: not JSON/],
  }
  for (const [what, [text, kept, reason]] of Object.entries(REFUSED))
    it(`refuses ${what}, and repeats no value`, () => {
      expect(() => payloadOf(text, kept))
        .to.throw(reason)
        .with.property('message')
        .that.does.not.match(/1948|Łódź/)
    })

  it('refuses a payload that text cannot stand for', () => {
    for (const payload of [undefined, 7, { at: new Date() }, { data: Buffer.from('a') }])
      expect(() => textOf(payload)).to.throw('neither text nor JSON')
  })
})
