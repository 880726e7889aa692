import { expect } from 'chai'
import { readMapFile } from '../../../lib/mapping/map-file.ts'
import { mapHl7WithOrigin } from '../../../lib/mapping/map-hl7.ts'
import { anOrder } from '../../support/hl7/an-order.ts'
import { hostileRun } from '../../support/hl7/hostile-run.ts'

describe('Hostile messages in HL7 v2', function () {
  this.timeout(120_000)

  it('are mapped, held with a reason, or refused, whatever their delimiters, depth, length, bytes and escapes', async () => {
    const sizes = Array.from({ length: 300 }, (_, index) => (index % 30 === 0 ? 600_000 : 10 ** (1 + (index % 4))))
    const { counts } = await hostileRun(485, sizes)
    expect(counts.mapped).to.be.greaterThan(0)
    expect(counts.held).to.be.greaterThan(0)
    expect(counts.refused).to.be.greaterThan(0)
  })

  it('are not all that has many pieces: a PDF of 10 MB is mapped, broken by repetitions, escaped breaks or an OBX for each line', () => {
    const bytes = Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(10_000_000, 'x'), Buffer.from('\n%%EOF\n')])
    const pdf = bytes.toString('base64')
    const lines = pdf.match(/.{1,76}/g) ?? []
    const map = readMapFile({ documentTypes: { CMS485: { documentTypeId: 1 } } })
    const sent = [
      `OBX|1|ED|PDF||^application^pdf^Base64^${lines.join('~')}`,
      `OBX|1|ED|PDF||^application^pdf^Base64^${lines.join('\\.br\\')}`,
      lines.map((line, index) => `OBX|${index + 1}|TX|PDF||${line}`),
    ]
    for (const OBX of sent) {
      const { mapped, origin } = mapHl7WithOrigin(anOrder({ OBX }), map)
      expect(mapped.ok && mapped.action === 'create' && mapped.body.document.attachment === pdf).to.equal(true)
      expect(origin?.segments.filter(({ name }) => name === 'OBX')).to.have.length(1)
    }
  })
})
