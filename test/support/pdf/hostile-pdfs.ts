/** Builds PDFs that try to exhaust a reader. Made when needed, because a bomb that is stored is a bomb that gets opened. */
import { deflateRawSync, deflateSync } from 'node:zlib'

const MIB = 1024 * 1024

interface Part {
  dictionary: string
  stream?: Buffer
}

/** Objects numbered from 1, the first one the catalogue, with a cross-reference table. */
function file(parts: readonly Part[]): Buffer {
  const chunks: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  const offsets: number[] = []
  let length = chunks[0]!.length
  const push = (chunk: Buffer) => {
    chunks.push(chunk)
    length += chunk.length
  }
  parts.forEach(({ dictionary, stream }, i) => {
    offsets.push(length)
    const open = stream ? `<< ${dictionary} /Length ${stream.length} >>\nstream\n` : dictionary
    push(Buffer.from(`${i + 1} 0 obj\n${open}`))
    if (stream) {
      push(stream)
      push(Buffer.from('\nendstream'))
    }
    push(Buffer.from('\nendobj\n'))
  })
  const start = length
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = parts.length + 1
  push(Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R >>\n`))
  push(Buffer.from(`startxref\n${start}\n%%EOF\n`))
  return Buffer.concat(chunks)
}

const catalogue: Part = { dictionary: '<< /Type /Catalog /Pages 2 0 R >>' }
const onePage: Part = { dictionary: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>' }
const font = '/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>'
const page: Part = {
  dictionary: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R ${font} >>`,
}
const withContent = (dictionary: string, stream: Buffer, ...more: Part[]): Buffer =>
  file([catalogue, onePage, page, { dictionary, stream }, ...more])

const spaces = (size: number) => Buffer.alloc(size, ' ')
const once = (bytes: Buffer) => deflateSync(bytes, { level: 6 })

/** Run-length code: byte 0x81 repeats the next one 128 times. */
const runLength = (size: number) => Buffer.alloc(size / 64, Buffer.from([0x81, 0x20]))

/** A deflate stream whose second block is stored and holds the word that ends a stream, then a bomb. */
function decoy(): Buffer {
  const stored = Buffer.from('\nendstream\nendobj\n')
  const header = Buffer.from([0x78, 0x9c, 0x00, stored.length, 0, ~stored.length & 0xff, 0xff])
  return Buffer.concat([header, stored, deflateRawSync(spaces(64 * MIB), { level: 6 })])
}

function objectStream(): Buffer {
  const content = Buffer.concat([Buffer.from('10 0 11 2 12 4 '), Buffer.alloc(100 * MIB, '0 0 ')])
  return withContent('', Buffer.from('q Q'), {
    dictionary: '/Type /ObjStm /N 3 /First 15 /Filter /FlateDecode',
    stream: once(content),
  })
}

function crossReferenceStream(): Buffer {
  const zeros = once(Buffer.alloc(100 * MIB))
  const head = Buffer.from('%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n')
  const open = `5 0 obj\n<< /Type /XRef /Size 100000000 /W [1 2 1] /Root 1 0 R /Filter /FlateDecode /Length ${zeros.length} >>\nstream\n`
  return Buffer.concat([
    head,
    Buffer.from(open),
    zeros,
    Buffer.from(`\nendstream\nendobj\nstartxref\n${head.length}\n%%EOF\n`),
  ])
}

function manyPages(): Buffer {
  const kids = Array.from({ length: 10_000 }, (_, i) => `${i + 3} 0 R`).join(' ')
  const pages = Array.from({ length: 10_000 }, () => ({
    dictionary: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>',
  }))
  return file([catalogue, { dictionary: `<< /Type /Pages /Kids [${kids}] /Count 10000 >>` }, ...pages])
}

const deep = (open: string, times: number, close: string) =>
  Buffer.concat([
    Buffer.from('%PDF-1.4\n1 0 obj\n'),
    Buffer.from(open.repeat(times)),
    Buffer.from(`${close}\nendobj\ntrailer\n<< /Root 1 0 R >>\n`),
  ])

/** By name; each is built anew. */
export const hostilePdfs: Readonly<Record<string, () => Buffer>> = {
  'content of 64 MB of spaces': () => withContent('/Filter /FlateDecode', once(spaces(64 * MIB))),
  'content of 64 MB of operators': () => withContent('/Filter /FlateDecode', once(Buffer.alloc(64 * MIB, 'q Q\n'))),
  'content of 64 MB of text': () =>
    withContent('/Filter /FlateDecode', once(Buffer.alloc(64 * MIB, 'BT /F1 9 Tf (aaaaaaaa) Tj ET\n'))),
  'content deflated twice': () => withContent('/Filter [/FlateDecode /FlateDecode]', once(once(spaces(64 * MIB)))),
  'content behind an indirect filter': () =>
    withContent('/Filter 5 0 R', once(spaces(64 * MIB)), { dictionary: '/FlateDecode' }),
  'content that calls itself an image': () =>
    withContent('/Subtype /Image /Filter /FlateDecode', once(spaces(64 * MIB))),
  'content with a far-off filter': () =>
    withContent(`/Filter /FlateDecode /Note (${'x'.repeat(3000)})`, once(spaces(64 * MIB))),
  'content in hexadecimal': () =>
    withContent('/Filter [/ASCIIHexDecode /FlateDecode]', Buffer.from(`${once(spaces(64 * MIB)).toString('hex')}>`)),
  'content with a false end': () => withContent('/Filter /FlateDecode', decoy()),
  'content of run lengths, deflated': () =>
    withContent('/Filter [/FlateDecode /RunLengthDecode]', once(runLength(256 * MIB))),
  'object stream of 100 MB': objectStream,
  'cross-reference stream of 100 MB': crossReferenceStream,
  'the word stream, a million times': () =>
    Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(7 * MIB, 'stream ')]),
  'ten thousand pages': manyPages,
  'ninety thousand objects to repair': () => Buffer.from(`%PDF-1.4\n${'1 0 obj <<'.repeat(95_000)}`),
  'arrays in arrays': () => deep('[', 450_000, ''),
  'dictionaries in dictionaries': () => deep('<</A ', 150_000, ''),
  'parentheses in parentheses': () => deep('(', 400_000, ''),
}
