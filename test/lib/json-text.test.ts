/** JSON that values of a patient are taken from: two parsers must not be able to take different values from it. */
import { expect } from 'chai'
import fc from 'fast-check'
import { strictJson } from '../../lib/json-text.ts'
import { mapFhir } from '../../lib/mapping/map-fhir.ts'
import { aBundle, document, patient, practitioner } from '../support/hl7/a-bundle.ts'
import { heldBy } from '../support/hl7/what-became.ts'

describe('JSON of orders', () => {
  it('is read as JSON.parse reads it, after a byte order mark too', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(3), (json, spaces) => {
        const text = JSON.stringify(JSON.parse(json), null, spaces)
        expect(strictJson(text)).to.deep.equal({ ok: true, value: JSON.parse(text) })
        expect(strictJson(Buffer.from(`\uFEFF${text}`))).to.deep.equal({ ok: true, value: JSON.parse(text) })
      }),
    )
  })

  it('is refused with one name twice in an object, however it is written', () => {
    const reason = 'has an object with one name twice'
    for (const text of ['{"a":1,"a":2}', '{"a":1, "\\u0061" :2}', '[{"b":{"a":"}","c":{},"a":"x"}}]', '{"":1,"":1}'])
      expect(strictJson(text), text).to.deep.equal({ ok: false, reason })
    for (const text of ['[{"a":1},{"a":2}]', '{"a":{"a":"a"},"b":"\\"a\\":"}', '{"__proto__":1,"constructor":2}'])
      expect(strictJson(text).ok, text).to.equal(true)
  })

  it('is read however long a text in it is, with quotation marks and backslashes at its end', () => {
    const long = 'A'.repeat(24 * 1024 * 1024)
    for (const end of ['', '\\', '"', '\\"', '"}:{"'])
      expect(strictJson(JSON.stringify({ data: `${long}${end}`, a: end })).ok, end).to.equal(true)
    const twice = `{"a":${JSON.stringify(`${long}\\`)},"a":1}`
    expect(strictJson(twice)).to.deep.equal({ ok: false, reason: 'has an object with one name twice' })
  })

  it('is refused as bytes that are not UTF-8, and as anything but JSON', () => {
    expect(strictJson(Buffer.from('{"family":"Müller"}', 'latin1'))).to.deep.equal({
      ok: false,
      reason: 'is not UTF-8',
    })
    for (const text of ['', '{', '{"a":1}}', "{'a':1}", '{"a":1,}'])
      expect(strictJson(text), text).to.deep.equal({ ok: false, reason: 'is not JSON' })
  })

  it('in FHIR holds the message, which says why', () => {
    const map = { documentTypes: { '52030-8': { documentTypeId: 101 } } }
    const text = JSON.stringify(aBundle(document, patient, practitioner))
    expect(mapFhir(Buffer.from(text), map).ok).to.equal(true)
    const twice = text.replace('"status":"current"', '"status":"entered-in-error","status":"current"')
    expect(heldBy(mapFhir(twice, map))).to.deep.equal(['resourceType: the message has an object with one name twice'])
    const latin1 = Buffer.from(text.replace('Rowan', 'Röwan'), 'latin1')
    expect(heldBy(mapFhir(latin1, map))).to.deep.equal(['resourceType: the message is not UTF-8'])
  })
})
