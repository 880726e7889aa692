import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { holdsArchive } from '../../../lib/pdf/guard/archive.ts'
import { defaultLimits } from '../../../lib/pdf/guard/limits.ts'
import { defaultActiveContentPolicy } from '../../../lib/pdf/prepare/active-content.ts'
import { acceptDocument } from '../../../server/pdf/accept.ts'
import { completeDocument } from '../../../server/pdf/complete.ts'
import { aFolder } from '../../support/a-folder.ts'
import { fixture, fixtureNames } from '../../support/fixtures.ts'
import { aCompletion } from '../../support/pdf/a-completion.ts'
import { isUnpackable, PAGE, sniffed, zipOf } from '../../support/pdf/foreign-bytes.ts'
import { order, stream, writtenPdf } from '../../support/pdf/written-pdf.ts'
import { ran } from '../../support/processes.ts'
import { signedByOthers } from '../../support/sealed/signed-by-others.ts'

const accept = (pdf: Uint8Array) => acceptDocument(pdf, defaultLimits, defaultActiveContentPolicy)
const plain = writtenPdf(order()).pdf
const zip = zipOf('order.txt', 'Morphine 500 mg')

const before: Readonly<Record<string, Buffer>> = {
  'a web page': PAGE,
  'a byte order mark': Buffer.from('\ufeff'),
  'line breaks': Buffer.from('\r\n\n'),
  'an archive': zip,
  'a command for a printer': Buffer.from('\x1b%-12345X@PJL ENTER LANGUAGE=PDF\r\n'),
}

const behind: Readonly<Record<string, Buffer>> = {
  'an archive': zip,
  'an archive, and another last line': Buffer.concat([zip, Buffer.from('\n%%EOF\n')]),
  'an archive, and blanks': Buffer.concat([zip, Buffer.alloc(3000, ' ')]),
  'a web page': PAGE,
  'a comment': Buffer.from('% Morphine 500 mg\n'),
  'the end of a file in DOS': Buffer.from('\x1a'),
  'a command for a printer': Buffer.from('\x1b%-12345X'),
}

describe('what lies around a document in its file', () => {
  const folder = aFolder()

  async function sealed(pdf: Uint8Array): Promise<Buffer> {
    const completed = await completeDocument(pdf, await aCompletion())
    if (!completed.ok) throw new Error(completed.problem)
    return Buffer.from(completed.pdf)
  }

  async function expectOnlyPdf(pdf: Buffer): Promise<void> {
    expect(pdf.indexOf('%PDF-', 0, 'latin1')).to.equal(0)
    expect(sniffed(pdf)).to.equal('pdf')
    expect(isUnpackable(pdf)).to.equal(false)
    expect(pdf.toString('latin1').endsWith('%%EOF\n') || pdf.toString('latin1').endsWith('%%EOF')).to.equal(true)
  }

  for (const [what, bytes] of Object.entries(before))
    it(`is dropped before the header: ${what}`, async () => {
      const accepted = await accept(Buffer.concat([bytes, plain]))
      if (!accepted.ok) throw new Error(accepted.problem)
      expect(accepted.preparations).to.deep.equal(['leadingBytesRemoved'])
      expect(plain.equals(accepted.pdf)).to.equal(true)
      await expectOnlyPdf(await sealed(accepted.pdf))
    })

  for (const [what, bytes] of Object.entries(behind))
    it(`is dropped behind the end: ${what}`, async () => {
      const accepted = await accept(Buffer.concat([plain, bytes]))
      if (!accepted.ok) throw new Error(accepted.problem)
      expect(accepted.preparations).to.deep.equal(['trailingBytesRemoved'])
      expect(plain.equals(accepted.pdf)).to.equal(true)
      await expectOnlyPdf(await sealed(accepted.pdf))
    })

  it('is dropped at both ends', async () => {
    const accepted = await accept(Buffer.concat([PAGE, plain, zip]))
    expect(accepted.ok && accepted.preparations).to.deep.equal(['leadingBytesRemoved', 'trailingBytesRemoved'])
    expect(accepted.ok && plain.equals(accepted.pdf)).to.equal(true)
  })

  it('stays when it is white space or NUL that fills a block', async () => {
    const filled = Buffer.concat([plain, Buffer.from('\r\n \t'), Buffer.alloc(3000)])
    const accepted = await accept(filled)
    expect(accepted.ok && accepted.preparations).to.deep.equal([])
    expect(accepted.ok && filled.equals(accepted.pdf)).to.equal(true)
  })

  it('is refused when somebody has signed the document, and nothing of it may change', async () => {
    const signed = await signedByOthers(plain)
    const drawn = 'drawnAsSigned'
    const problem =
      'is already signed, and its file has something before its beginning or behind its end; send the file as it was when it was signed'
    expect(await accept(Buffer.concat([signed, zip]))).to.deep.equal({ ok: false, problem, drawn })
    expect(await accept(Buffer.concat([PAGE, signed]))).to.deep.equal({ ok: false, problem, drawn })
  })

  it('cannot be an archive within the document, where programs would find it', async () => {
    const problem =
      'a ZIP archive, too: programs could unpack it; send it without archives in it, or print it to PDF again'
    const holding = (data: string) => writtenPdf({ ...order(), 10: stream(data) }).pdf
    const drawn = 'drawnAsAmbiguous'
    expect(await accept(holding(zip.toString('latin1')))).to.deep.equal({ ok: false, problem, drawn })
    const empty = Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)])
    expect(await accept(holding(empty.toString('latin1')))).to.deep.equal({ ok: false, problem, drawn })
    expect((await accept(holding('PK\x05\x06 is how an archive ends'))).ok).to.equal(true)
  })

  it('is told from documents that hold none', () => {
    for (const name of [...fixtureNames('pdf/orders'), ...fixtureNames('pdf/producers')])
      expect(holdsArchive(Buffer.from(fixture(name))), name).to.equal(false)
  })

  it('would be found by the programs that unpack archives', async () => {
    expect(sniffed(Buffer.concat([PAGE, plain]))).to.equal('html')
    const both = Buffer.concat([plain, zip])
    expect(isUnpackable(both)).to.equal(true)
    expect(holdsArchive(both)).to.equal(true)
    const path = join(folder, 'both.pdf')
    writeFileSync(path, both)
    expect((await ran(['-e', READS_ARCHIVE, path])).stdout).to.equal('order.txt')
  })
})

/** Finds the name of the first file as a program does that knows nothing of PDF. */
const READS_ARCHIVE = `
const file = require('fs').readFileSync(process.argv[1])
const end = file.lastIndexOf('PK\\x05\\x06', undefined, 'latin1')
const directory = end - file.readUInt32LE(end + 12)
process.stdout.write(file.toString('latin1', directory + 46, directory + 46 + file.readUInt16LE(directory + 28)))
`
