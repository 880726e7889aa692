/** What a reader that nothing here is built on takes from a PDF as its text. */
import { execFileSync } from 'node:child_process'

/** @param page from 1; all pages when left out */
export function popplerText(pdf: Uint8Array, page?: number): string {
  const pages = page === undefined ? [] : ['-f', `${page}`, '-l', `${page}`]
  return execFileSync('pdftotext', [...pages, '-', '-'], { input: pdf, encoding: 'utf8' })
}

/** As `NFKC` has it, without white space, joiners and marks of direction: what two readings of a text have in common. */
export const lettersOf = (text: string): string =>
  text.normalize('NFKC').replace(/[\s\p{Cc}\p{Default_Ignorable_Code_Point}]/gu, '')
