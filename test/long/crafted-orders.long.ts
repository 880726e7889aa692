/**
 * `npm run test:long`: thousands of random documents within the grammar of plain documents and outside of it. None is sealed as
 * something else than its signer saw, in pdf.js, PDFium, poppler, mutool, and Ghostscript. `SEED`, `FROM`, and `COUNT` choose the
 * files; those within the grammar have eight pages (`PAGES`), each of which is random by itself, so that viewers start less often.
 * With `OUT=<folder>` a run continues where an earlier one ended, and files that look different are kept there.
 */
import { expect } from 'chai'
import { compared } from '../support/crafted/compared.ts'
import { outsideDocument } from '../support/crafted/outside-documents.ts'
import { plainDocument } from '../support/crafted/plain-documents.ts'

const { OUT } = process.env
const PAGES = Number(process.env.PAGES ?? 8)
const range = (kind: string, count: number) => ({
  seed: Number(process.env.SEED ?? 1),
  from: Number(process.env.FROM ?? 0),
  count: Number(process.env.COUNT ?? count),
  ...(OUT !== undefined && { out: `${OUT}/${kind}.jsonl`, keep: OUT }),
})

describe('what the signer saw is what every viewer shows of the sealed document', () => {
  it('for documents within the grammar, which are all plain', async () => {
    const result = await compared(range('inside', 5_000 / PAGES), async (random) => ({
      name: '',
      pdf: await plainDocument(random, PAGES),
    }))
    console.log(result)
    expect(result.wrong).to.deep.equal([])
    expect(result.counts).to.include({ drawn: 0, refused: 0 })
  })

  it('for crafted documents outside of it', async () => {
    const result = await compared(range('outside', 3_000), async (random, number) => outsideDocument(random, number))
    console.log(result)
    expect(result.wrong).to.deep.equal([])
  })
})
