/** What the certificate pages of a document say: by poppler where it is installed, otherwise by our own reader. */
import { spawnSync } from 'node:child_process'
import { textOf } from './text-of.ts'

/** Returns the text from the page `first` on, with single spaces and without ligatures. */
export async function certificateText(pdf: Uint8Array, first: number): Promise<string> {
  const asked = spawnSync('pdftotext', ['-layout', '-f', String(first), '-', '-'], { input: pdf, encoding: 'utf8' })
  const text = asked.error ? (await ownReading(pdf)).slice(first - 1).join(' ') : asked.stdout
  return text.replace(/[ﬀ-ﬆ]/g, (ligature) => ligature.normalize('NFKC')).replace(/\s+/g, ' ')
}

const ownReading = async (pdf: Uint8Array) => (await textOf(Buffer.from(pdf).toString('base64'))).split('\f')
