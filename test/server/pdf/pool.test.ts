import { createHash } from 'node:crypto'
import { expect } from 'chai'
import type { Annotations } from '../../../lib/contract/task/document.ts'
import { isDrawn } from '../../../lib/pdf/prepare/preparation.ts'
import { createPdfPool, type PdfPool } from '../../../server/pdf/workers/pool.ts'
import { eventually } from '../../support/eventually.ts'
import { fixture, fixtureNames } from '../../support/fixtures.ts'
import { aCompletion, aField, aSealKey } from '../../support/pdf/a-completion.ts'
import { aPdf } from '../../support/pdf/a-pdf.ts'
import { hostilePdfs } from '../../support/pdf/hostile-pdfs.ts'
import { ran } from '../../support/processes.ts'

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const smart: Annotations = { type: 'SmartAnnotations' }
const beside: Annotations = {
  type: 'ReferenceText',
  data: [{ type: 'CheckBox', referenceText: 'Physician Signature:', offsetX: 0, offsetY: 0 }],
}

describe('the PDF pool', () => {
  let pool: PdfPool
  before(() => {
    pool = createPdfPool()
  })
  after(() => pool.close())

  it('takes a document from its Base64 text to the sealed file', async () => {
    const original = fixture('pdf/orders/reportlab-plain-order.pdf')
    const inspected = await pool.inspect(base64(original))
    if (!inspected.ok) throw new Error(inspected.problem)
    expect(Buffer.from(inspected.pdf).equals(Buffer.from(original))).to.equal(true)
    expect(inspected.sha256).to.equal(createHash('sha256').update(original).digest('hex'))
    expect(inspected.pages).to.deep.equal([
      { width: 612, height: 792 },
      { width: 612, height: 792 },
    ])
    const placed = await pool.place(inspected.pdf, smart, [])
    if (!placed.ok) throw new Error(placed.problem)
    expect(placed.fields).to.have.lengthOf(4)
    const completed = await pool.complete(inspected.pdf, await aCompletion({ fields: placed.fields }))
    if (!completed.ok) throw new Error(completed.problem)
    expect(completed.sha256).to.equal(createHash('sha256').update(completed.pdf).digest('hex'))
    const verified = await pool.verify(completed.pdf, (await aSealKey()).certificatePem)
    expect(verified.ok && verified.verdict.valid).to.equal(true)
  })

  it('leaves the bytes it was given to the caller', async () => {
    const pdf = await aPdf({})
    await pool.place(pdf, smart, [])
    expect(pdf.length).to.be.greaterThan(100)
  })

  it('does not read a document that nobody waits for any more when its turn comes', async () => {
    const text = base64(await aPdf({}))
    let isAwaited = true
    const inspected = pool.inspect(text, { isAwaited: () => isAwaited })
    isAwaited = false
    expect(await inspected).to.deep.equal({
      ok: false,
      problem: 'was not read, because the request was aborted; send it again',
      isForNow: true,
    })
    expect(await pool.inspect(text, { isAwaited: () => true })).to.include({ ok: true })
  })

  it('answers what is wrong with a document', async () => {
    const cases = {
      'not base64!': { ok: false, problem: 'not Base64' },
      [base64(Buffer.from('hello'))]: {
        ok: false,
        problem: 'not a PDF (no %PDF- header in its first 1,024 bytes)',
      },
    }
    for (const [text, answer] of Object.entries(cases)) expect(await pool.inspect(text)).to.deep.equal(answer)
    expect(await pool.place(await aPdf({}), beside, [])).to.deep.equal({
      ok: false,
      problem: 'document.annotations.data[0].referenceText was not found in the text of the PDF',
    })
  })

  it('says that a document is too large, without reading it', async () => {
    const small = createPdfPool({ limits: { maxBytes: 1000 } })
    try {
      for (const size of [1001, 5_000_000]) {
        expect(await small.inspect(base64(new Uint8Array(size)))).to.deep.equal({
          ok: false,
          problem: 'larger than 1000 bytes',
          tooLarge: true,
        })
      }
    } finally {
      await small.close()
    }
  })

  it('throws when the seal key is unusable, and keeps serving', async () => {
    const seal = { certificatePem: 'none', privateKeyPem: 'none' }
    const failed = await pool.complete(await aPdf({}), await aCompletion({ seal })).catch((error: unknown) => error)
    expect(failed).to.be.instanceOf(Error)
    expect((await pool.inspect(base64(await aPdf({})))).ok).to.equal(true)
  })

  it('works on several documents at once', async () => {
    const text = base64(fixture('pdf/orders/chromium-order.pdf'))
    const answers = await Promise.all(Array.from({ length: 8 }, () => pool.inspect(text)))
    expect(answers.every(({ ok }) => ok)).to.equal(true)
  })
})

describe('hostile documents', () => {
  let pool: PdfPool
  before(async () => {
    pool = createPdfPool({ threads: 1 })
    await pool.warm()
  })
  after(() => pool.close())

  /** Again when the machine was too busy to know, as it is said. */
  const placed = (pdf: Uint8Array, annotations: Annotations, by = pool) =>
    eventually(() => by.place(pdf, annotations, []))

  const msOf = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1000

  const hostile: [name: string, make: () => Uint8Array][] = [
    ...Object.entries(hostilePdfs),
    ...fixtureNames('pdf/hostile').map((name): [string, () => Uint8Array] => [name, () => fixture(name)]),
  ]
  for (const [name, make] of hostile) {
    it(`${name}: an error in time, no growth above 300 MB, this thread left to others`, async function () {
      this.timeout(60_000)
      const attachment = base64(make())
      const memory = process.memoryUsage.rss()
      let peak = memory
      const poll = setInterval(() => {
        peak = Math.max(peak, process.memoryUsage.rss())
      }, 10)
      const [all, mine] = [process.cpuUsage(), process.threadCpuUsage()]
      try {
        const inspected = await pool.inspect(attachment)
        // A few are odd but harmless, and are accepted; then placing has to end as well, with nothing found.
        if (inspected.ok) {
          if (isDrawn(inspected.preparations)) await pool.draw(inspected.pdf)
          expect((await placed(inspected.pdf, smart)).ok).to.equal(false)
          expect((await placed(inspected.pdf, beside)).ok).to.equal(false)
        }
      } finally {
        clearInterval(poll)
      }
      expect((peak - memory) / 1e6, 'growth in MB').to.be.lessThan(300)
      // Work, not time: the machine may be busy with something else. This thread hands a copy over, and collects what making the document left.
      const [worked, byAll] = [msOf(process.threadCpuUsage(mine)), msOf(process.cpuUsage(all))]
      const handingOver = 100 + attachment.length / 1e5
      expect(worked, 'ms of work on this thread').to.be.lessThan(Math.max(handingOver, 0.25 * byAll))
    })
  }

  it('fail when they are placed, also with coordinates: not only after somebody has signed', async function () {
    this.timeout(40_000)
    const item = { type: 'CheckBox' as const, pageNumber: 1, left: 10, top: 10, right: 22, bottom: 22 }
    const laughs = fixture('pdf/hostile/xobject_laughs.pdf')
    expect(await placed(laughs, { type: 'Json', data: [item] })).to.deep.equal({
      ok: false,
      problem: 'document.attachment: takes more than 2 s to read; print it to PDF again',
    })
  })

  it('do not keep the pool from serving the next document', async () => {
    const shading = fixture('pdf/hostile/shading_fn.pdf')
    const quick = createPdfPool({ threads: 1, limits: { readTimeoutMs: 1500 } })
    try {
      const slow = placed(shading, smart, quick)
      const next = quick.inspect(base64(await aPdf({})))
      expect(await slow).to.deep.equal({
        ok: false,
        problem: 'document.attachment: takes more than 1.5 s to read; print it to PDF again',
      })
      expect((await next).ok).to.equal(true)
    } finally {
      await quick.close()
    }
  })

  it('are ended where they are completed, too', async function () {
    this.timeout(40_000)
    const tight = createPdfPool({ threads: 1, limits: { completeTimeoutMs: 0, pageTimeoutMs: 0 } })
    try {
      const long = await aPdf(...Array.from({ length: 40 }, () => ({})))
      const completed = await tight.complete(long, await aCompletion({ fields: [aField()] }))
      expect(completed).to.deep.equal({ ok: false, problem: 'takes more than 0 s to read; print it to PDF again' })
    } finally {
      await tight.close()
    }
  })

  it('are ended when they take too much memory, and innocent neighbours are not', async function () {
    this.timeout(40_000)
    // The budgets are lifted, so that the bomb goes off inside the reader.
    const unlimited = { maxTotalBytes: 2 ** 32, maxStreamBytes: 2 ** 31 }
    const bold = createPdfPool({ threads: 2, limits: { ...unlimited, maxGrowthBytes: 64 * 1024 * 1024 } })
    try {
      await bold.warm()
      const bomb = bold.inspect(base64(hostilePdfs['object stream of 100 MB']!()))
      const innocent = Array.from({ length: 12 }, () => bold.inspect(base64(fixture('pdf/orders/chromium-order.pdf'))))
      expect(await bomb).to.deep.equal({
        ok: false,
        problem: 'takes too much memory to read; print it to PDF again',
      })
      expect((await Promise.all(innocent)).every(({ ok }) => ok)).to.equal(true)
    } finally {
      await bold.close()
    }
  })
})

describe('closing the PDF pool', () => {
  /** Resolves when the other threads have had the processor for that long from now. */
  async function othersWork(ms: number): Promise<void> {
    const [all, mine] = [process.cpuUsage(), process.threadCpuUsage()]
    await eventually(() => {
      const [allSince, mineSince] = [process.cpuUsage(all), process.threadCpuUsage(mine)]
      expect((allSince.user - mineSince.user) / 1000, 'ms of work on other threads').to.be.at.least(ms)
    })
  }

  it('rejects what is under way, because the document is not at fault', async () => {
    const pool = createPdfPool({ threads: 1 })
    await pool.warm()
    const underWay = pool.place(fixture('pdf/hostile/xobject_laughs.pdf'), smart, []).catch((error: unknown) => error)
    const waiting = pool.inspect(base64(await aPdf({}))).catch((error: unknown) => error)
    await othersWork(100)
    await pool.close()
    expect(await underWay).to.be.instanceOf(Error)
    expect(await waiting).to.be.instanceOf(Error)
    expect(await pool.inspect('JVBERi0x').catch((error: unknown) => error)).to.be.instanceOf(Error)
  })

  it('lets the process end by itself', async () => {
    const { code, stderr } = await ran(['test/support/pdf/use-pool-once.ts'])
    expect(code, stderr).to.equal(0)
  })
})
