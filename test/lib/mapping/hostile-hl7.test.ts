import { expect } from 'chai'
import { parseMessage } from '../../../lib/hl7/parse-message.ts'
import { createFindings, MOST_FINDINGS } from '../../../lib/mapping/findings.ts'
import { chosenOrder } from '../../../lib/mapping/hl7/chosen-order.ts'
import { readMapFile } from '../../../lib/mapping/map-file.ts'
import { mapHl7WithOrigin } from '../../../lib/mapping/map-hl7.ts'
import { anOrder, mdm, oru } from '../../support/hl7/an-order.ts'
import { hostileRun } from '../../support/hl7/hostile-run.ts'

const map = readMapFile({ documentTypes: { CMS485: { documentTypeId: 1 } } })

describe('Hostile messages in HL7 v2', function () {
  this.timeout(120_000)

  it('are mapped, held with a reason, or refused, whatever their delimiters, depth, length, bytes and escapes', async () => {
    const sizes = Array.from({ length: 300 }, (_, index) => (index % 30 === 0 ? 600_000 : 10 ** (1 + (index % 4))))
    const { counts } = await hostileRun(485, sizes)
    expect(counts.mapped).to.be.greaterThan(0)
    expect(counts.held).to.be.greaterThan(0)
    expect(counts.refused).to.be.greaterThan(0)
  })

  it('are read once however many orders they have', () => {
    for (const base of [mdm, oru]) {
      const readsOf = (orders: number) => {
        const lines = 'ORC|NW\rOBR|1|1|1\r'.repeat(orders)
        const message = parseMessage(Buffer.concat([anOrder({}, base), Buffer.from(lines)]))
        let reads = 0
        for (const segment of message.segments) {
          const field = segment.field.bind(segment)
          segment.field = (number) => {
            reads += 1
            return field(number)
          }
        }
        chosenOrder(message, base === mdm ? 'document' : 'order', map, createFindings())
        return reads
      }
      // Twice as many orders take twice as many reads, and not four times as many.
      expect(readsOf(400)).to.be.lessThan(2.2 * readsOf(200))
    }
  })

  it('leave no more than a result repeats, because that is carried along and kept', () => {
    const withOrders = (count: number, field = '1') =>
      mapHl7WithOrigin(anOrder({ ORC: Array.from({ length: count }, (_, index) => `ORC|NW||${index}|${field}`) }), map)
    const { origin } = withOrders(300)
    expect(origin?.segments.filter(({ name }) => name === 'ORC')).to.have.length(300)
    for (const { mapped, origin: left } of [withOrders(20_000), withOrders(30, 'A^B~'.repeat(1000))]) {
      expect(left).to.equal(undefined)
      expect(mapped.ok ? [] : mapped.held[0]).to.match(
        /^The message has more than 50,000 fields and values in the segments that its result repeats/,
      )
    }
  })

  it('are held with a sentence that a person can read, however many orders ask for something', () => {
    const orders = Array.from({ length: 5000 }, (_, index) => `ORC|CA|${index}\rOBR|1|${index}\r`).join('')
    const { mapped } = mapHl7WithOrigin(Buffer.concat([anOrder({}, oru), Buffer.from(orders)]), map)
    const held = mapped.ok ? [] : mapped.held
    expect(held.filter((reason) => reason.includes('and 4991 more'))).to.have.length(1)
    expect(held.join('').length).to.be.lessThan(10_000)
  })

  it('are held with a list that a person can read, however much is wrong', () => {
    const lines = Array.from({ length: 1000 }, (_, index) => `ORC|Z${index}\r`).join('')
    const { mapped } = mapHl7WithOrigin(Buffer.concat([anOrder(), Buffer.from(lines)]), map)
    const held = mapped.ok ? [] : mapped.held
    expect(held).to.have.length(MOST_FINDINGS + 1)
    expect(new Set(held)).to.have.property('size', held.length)
    expect(held.at(-1)).to.equal('More was found, which is not listed; correct these first.')
  })

  it('are not all that has many pieces: a PDF of 10 MB is mapped, broken by repetitions, escaped breaks or an OBX for each line', () => {
    const bytes = Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(10_000_000, 'x'), Buffer.from('\n%%EOF\n')])
    const pdf = bytes.toString('base64')
    const lines = pdf.match(/.{1,76}/g) ?? []
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
