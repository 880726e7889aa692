/** Legal documents that are unusual: what becomes of each, and where its field is. */
import { expect } from 'chai'
import type { Annotations } from '../../../lib/contract/task/annotations.ts'
import { rehearseSigning } from '../../../server/pdf/rehearse.ts'
import { fixture, fixtureNames } from '../../support/fixtures.ts'
import { SIGNED_AT } from '../../support/pdf/a-completion.ts'
import { receivedAsShown } from '../../support/pdf/as-shown.ts'
import { usualReception } from '../../support/pdf/usual-reception.ts'

const tokens: Annotations = { type: 'SmartAnnotations' }
const beside = (referenceText: string): Annotations => ({
  type: 'ReferenceText',
  data: [{ type: 'VisibleSignature', referenceText, offsetX: 0, offsetY: 0 }],
})

/** Where the field is, as left and top; or why the document is refused. */
const expected: Readonly<Record<string, { annotations?: Annotations; at?: [number, number]; refusal?: RegExp }>> = {
  'a4-seventeen-digits': {},
  'attachment-that-is-a-pdf': {},
  'bullet-left-side-bearing-as-symbolmt': {},
  'certified-no-changes': { refusal: /certified by another signer/ },
  'contents-with-null': {},
  'destination-twice': {},
  'form-without-resources': {},
  'hybrid-as-iso-words-it': {},
  'link-below-the-stamp': {},
  'link-under-signature': {},
  'phrase-with-curly-apostrophe': { annotations: beside("Physician's signature:"), at: [140, 123] },
  portfolio: { refusal: /portfolio or an envelope/ },
  'prev-zero': {},
  'rolemap-tr': {},
  'small-text-before-large': { annotations: beside('Sign Here'), at: [98.6, 576.4] },
  'split-in-dictionary': {},
  'tahoma-not-embedded-bullet': {},
  'token-with-nonbreaking-hyphens': { at: [140, 123] },
  'unchecked-box-without-off': {},
}

describe('an unusual document', () => {
  it('is one of those that have an expectation here', () => {
    const names = fixtureNames('pdf/unusual').map((name) => name.replace(/^.*\/|\.pdf$/g, ''))
    expect(names.sort()).to.deep.equal(Object.keys(expected).sort())
  })

  for (const [name, { annotations = tokens, at, refusal }] of Object.entries(expected))
    it(`${refusal ? 'is refused with its reason' : 'is signed with its field in its place'}: ${name}`, async function () {
      this.timeout(60_000)
      const reception = { ...usualReception, wanted: { annotations, origin: 'top-left' as const } }
      const received = await receivedAsShown(fixture(`pdf/unusual/${name}.pdf`), reception)
      if (refusal) return expect(received.ok ? 'accepted' : received.problem).to.match(refusal)
      if (!received.ok) return expect.fail(received.problem)
      const outcome = received.placedEarly!.outcome
      if (!outcome.ok) return expect.fail(outcome.problem)
      const { fields } = outcome
      expect(fields).to.have.lengthOf(1)
      if (at) {
        expect(fields[0]!.box.left).to.be.closeTo(at[0], 3)
        expect(fields[0]!.box.top).to.be.closeTo(at[1], 8)
      }
      const rehearsal = { fields, signature: 'inFields' as const, at: SIGNED_AT }
      expect(await rehearseSigning(received.pdf, rehearsal, reception.limits, () => {})).to.deep.equal({ ok: true })
    })
})
