/** The guard before the parser: for any bytes, it counts at least what the parser would make of them. */
import { expect } from 'chai'
import fc from 'fast-check'
import { jsonOf } from '../../../server/http/bodies/json-body.ts'
import { jsonShapeProblem } from '../../../server/http/bodies/json-shape.ts'

const RUNS = 20_000

/** How deep a value is, and how many values it holds with itself. */
function shapeOf(value: unknown): { depth: number; values: number } {
  if (typeof value !== 'object' || value === null) return { depth: 0, values: 1 }
  const inside = Object.values(value).map(shapeOf)
  return {
    depth: 1 + Math.max(0, ...inside.map(({ depth }) => depth)),
    values: 1 + inside.reduce((sum, { values }) => sum + values, 0),
  }
}

/** What the platform's own strict decoder and parser make of the bytes; undefined where they refuse. */
function reference(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

const outcome = (bytes: Buffer) => {
  try {
    return jsonOf(bytes)
  } catch {
    return undefined
  }
}

const json = fc.jsonValue({ maxDepth: 5 })
const encodings = ['utf8', 'utf16le', 'latin1'] as const
const marks = [[], [0xef, 0xbb, 0xbf], [0xff, 0xfe], [0xfe, 0xff]]
/** Overlong forms of quotes and brackets, halves of surrogates, and bytes that UTF-8 does not have. */
const odd = [[0xc0, 0xa2], [0xe0, 0x80, 0xa2], [0xc1, 0x9b], [0xed, 0xa0, 0x80], [0xff], [0x80], [0x22], [0x5c], [0x00]]

const plain = json.map((value) => Buffer.from(JSON.stringify(value)))
const written = fc
  .tuple(json, fc.constantFrom(...encodings), fc.constantFrom(...marks), fc.boolean())
  .map(([value, encoding, mark, isSpaced]) =>
    Buffer.concat([Buffer.from(mark), Buffer.from(JSON.stringify(value, null, isSpaced ? 1 : 0), encoding)]),
  )
const disturbed = fc
  .tuple(written, fc.constantFrom(...odd), fc.nat())
  .map(([bytes, more, at]) =>
    Buffer.concat([
      bytes.subarray(0, at % (bytes.length + 1)),
      Buffer.from(more),
      bytes.subarray(at % (bytes.length + 1)),
    ]),
  )
const brackets = fc
  .array(fc.constantFrom('[', ']', '{', '}', '"', '\\', ',', ':', '1', '∀', '"a":', '\\"', '\\u0022'), {
    maxLength: 40,
  })
  .map((parts) => Buffer.from(parts.join('')))
const bytes = fc.oneof(plain, written, disturbed, brackets, fc.uint8Array({ maxLength: 60 }).map(Buffer.from))

describe('the guard before the JSON parser', () => {
  it(`counts no less than there is, in ${RUNS} sequences of bytes`, function () {
    this.timeout(60_000)
    let accepted = 0
    fc.assert(
      fc.property(bytes, (sent) => {
        const value = reference(sent)
        if (value === undefined) return
        accepted++
        const { depth, values } = shapeOf(value)
        expect(jsonShapeProblem(sent, { maxDepth: depth, maxValues: Number.POSITIVE_INFINITY })).to.equal(null)
        if (depth > 0)
          expect(jsonShapeProblem(sent, { maxDepth: depth - 1, maxValues: Number.POSITIVE_INFINITY })).not.to.equal(
            null,
          )
        expect(jsonShapeProblem(sent, { maxDepth: depth, maxValues: values - 1 })).not.to.equal(null)
      }),
      { numRuns: RUNS },
    )
    expect(accepted).to.be.greaterThan(RUNS / 10)
  })

  it(`reads what the reference reads and refuses what it refuses, in ${RUNS} sequences of bytes`, function () {
    this.timeout(60_000)
    fc.assert(
      fc.property(bytes, (sent) => {
        fc.pre(sent.length > 0)
        expect(outcome(sent)).to.deep.equal(reference(sent))
      }),
      { numRuns: RUNS },
    )
  })
})
