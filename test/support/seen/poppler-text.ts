/** What a reader that nothing here is built on takes from a PDF as its text. */
import { execFileSync } from 'node:child_process'

/** @param page from 1; all pages when left out */
export function popplerText(pdf: Uint8Array, page?: number): string {
  const pages = page === undefined ? [] : ['-f', `${page}`, '-l', `${page}`]
  return execFileSync('pdftotext', [...pages, '-', '-'], { input: pdf, encoding: 'utf8' })
}
