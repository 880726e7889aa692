/** What is made of a text that fits its box only in letters that nobody can read. */
import { expect } from 'chai'
import type { Field } from '../../../lib/pdf/placement/placement.ts'
import { completeDocument } from '../../../server/pdf/complete.ts'
import { isCrowded } from '../../../server/pdf/ink/crowded.ts'
import { fitText } from '../../../server/pdf/ink/fit-text.ts'
import { previewInk } from '../../../server/pdf/preview.ts'
import { aCompletion, aField } from '../../support/pdf/a-completion.ts'
import { aPdf } from '../../support/pdf/a-pdf.ts'

const LONG = 'Wound check every other day. '.repeat(20).trim()

const signature = aField({})
const aText = (value?: string): Field => ({
  ...aField({ type: 'TextArea', box: { left: 60, top: 160, right: 260, bottom: 180 } }),
  ...(value !== undefined && { value }),
})

async function previewedAndSealed(field: Field, given?: string) {
  const values = given === undefined ? {} : { 1: given }
  const completion = await aCompletion({ fields: [signature, field], values })
  const pdf = await aPdf({})
  return { preview: await previewInk(pdf, completion), sealed: await completeDocument(pdf, completion) }
}

describe('a text that is too long for its box', () => {
  it('is told with the preview, and is not sealed', async () => {
    const { preview, sealed } = await previewedAndSealed(aText(), LONG)
    expect(preview).to.deep.include({ ok: true, crowded: [1] })
    expect(sealed).to.deep.include({ ok: false, crowded: [1] })
  })

  it('is told, and yet sealed, when the sender wrote it and the signer left it', async () => {
    for (const given of [undefined, LONG]) {
      const { preview, sealed } = await previewedAndSealed(aText(LONG), given)
      expect(preview).to.deep.include({ ok: true, crowded: [1] })
      expect(sealed.ok).to.equal(true)
    }
  })

  it('is not sealed when the signer added to what the sender wrote', async () => {
    const { sealed } = await previewedAndSealed(aText(LONG), `${LONG} As needed.`)
    expect(sealed).to.deep.include({ ok: false, crowded: [1] })
  })

  it('is none where a smaller size can still be read', async () => {
    const { preview, sealed } = await previewedAndSealed(
      aText(),
      'Wound check every other day, and call when it reddens.',
    )
    expect(preview).to.deep.include({ ok: true, crowded: [] })
    expect(sealed.ok).to.equal(true)
  })

  it('is none in a box that has no room even for a short word', () => {
    const measure = (text: string) => text.length / 2
    for (const [width, height] of [
      [10, 40],
      [100, 3],
      [5, 2],
    ] as const) {
      const room = { width, height, maxSize: 10 }
      expect(isCrowded(fitText('Reviewed', room, measure), room), `${width} by ${height}`).to.equal(false)
    }
  })
})
