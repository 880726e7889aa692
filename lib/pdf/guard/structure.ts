/** Opens a PDF with the structure reader: pages, boxes, dictionaries, and later the ink. Reads no page content. */
import { PDFDocument } from 'pdf-lib'

export type OpenedStructure = { ok: true; doc: PDFDocument } | { ok: false; problem: string }

/**
 * Many files are encrypted only to restrict their owner's reader, with an empty password: those are opened.
 * Problems never quote the file.
 */
export async function openStructure(pdf: Uint8Array): Promise<OpenedStructure> {
  try {
    const doc = await PDFDocument.load(pdf, { updateMetadata: false, parseSpeed: Infinity, password: '' })
    return { ok: true, doc }
  } catch (error) {
    const reason = error instanceof Error ? error.message : ''
    if (/password/i.test(reason)) return { ok: false, problem: 'protected by a password; send it without one' }
    if (/encrypt|cipher|crypt/i.test(reason)) {
      return { ok: false, problem: 'encrypted in a way that cannot be read; send it without encryption' }
    }
    return { ok: false, problem: 'damaged: its structure cannot be read; save or print it to PDF again' }
  }
}
