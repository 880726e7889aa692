/** Long texts of a JSON body: set aside as they were sent, and known by a name that nobody else can give. */
import { expect } from 'chai'
import { largeJsonOf } from '../../../server/http/bodies/json-body.ts'
import { LONG_TEXT_BYTES } from '../../../server/http/bodies/long-texts.ts'

const read = (json: string) => {
  const { value, longTexts } = largeJsonOf(Buffer.from(json))
  const texts = new Map([...longTexts].map(([name, bytes]) => [name, Buffer.from(bytes).toString()]))
  /** The value with its long texts in their places again. */
  const whole = JSON.parse(
    JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? (texts.get(part) ?? part) : part)),
  ) as unknown
  return { value, texts, whole }
}
const LONG = 'x'.repeat(LONG_TEXT_BYTES)

describe('a body with long texts', () => {
  it('is parsed without them, and holds a name in the place of each', () => {
    const body = { a: LONG, b: ['short', `${LONG}y`, { c: `\u20ac${LONG}`, d: 1 }], e: '' }
    const { value, texts, whole } = read(JSON.stringify(body))
    expect(whole).to.deep.equal(body)
    expect(texts.size).to.equal(3)
    expect((value as typeof body).a).not.to.equal(body.a)
  })

  it('has none of those that are a little shorter', () => {
    const body = { a: LONG.slice(1), [LONG.slice(2)]: 1 }
    const { value, texts } = read(JSON.stringify(body))
    expect(value).to.deep.equal(body)
    expect(texts.size).to.equal(0)
  })

  it('keeps escapes and quotes as they were sent', () => {
    const { texts } = read(`{"a": "\\"${LONG}\\u0041\\\\"}`)
    expect([...texts.values()]).to.deep.equal([`\\"${LONG}\\u0041\\\\`])
  })

  it('cannot name a text itself', () => {
    const { value } = read(JSON.stringify({ a: LONG }))
    const name = (value as { a: string }).a
    const { value: sent, whole } = read(JSON.stringify({ a: name, b: LONG }))
    expect(whole).to.deep.equal({ a: name, b: LONG })
    expect((sent as { b: string }).b).not.to.equal((sent as { a: string }).a)
  })

  it('is refused when what is left is no JSON', () => {
    for (const json of [`{"a": "${LONG}"`, `{"a": "${LONG}}`, `"${LONG}" 1`, `["${LONG}",]`])
      expect(() => read(json), json.slice(0, 5)).to.throw('body: not JSON')
  })
})
