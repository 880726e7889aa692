/**
 * Viewers (PDFium) that draw each document as if it were their first. One that has replaced a font draws the next document
 * differently, so a viewer that was used gets the memory back that it had when it was started. That takes half as long as
 * starting another one, and leaves no memory behind that has to be collected.
 */
import { readFileSync } from 'node:fs'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import { packageFile } from '../package-file.ts'
import type { Pdfium } from './viewed-document.ts'

export interface Viewer {
  /** The package's interface, and that of PDFium itself. */
  library: PDFiumLibrary
  pdfium: Pdfium
  /** The contents of the memory at the start; all after it was zero. */
  atStart: Uint8Array
  sizeAtStart: number
}

/** As many as are compared with each other. */
const MOST_IDLE = 2
const idle: Viewer[] = []

/** Lends a viewer that has drawn nothing yet. What it opens need not be closed. One that fails is not used again. */
export async function withViewer<T>(use: (viewer: Viewer) => Promise<T>): Promise<T> {
  const viewer = idle.pop() ?? (await startViewer())
  let isSound = false
  try {
    const result = await use(viewer)
    isSound = true
    return result
  } finally {
    const { pdfium, sizeAtStart } = viewer
    if (isSound && pdfium.memory.buffer.byteLength === sizeAtStart && idle.length < MOST_IDLE) {
      forgetAll(viewer)
      idle.push(viewer)
    } else endViewer(viewer.library)
  }
}

export async function startViewer(): Promise<Viewer> {
  let pdfium: Pdfium | undefined
  const library = await PDFiumLibrary.init({
    instantiateWasm(imports: WebAssembly.Imports, done: (instance: never) => void): WebAssembly.Exports {
      compiled ??= new WebAssembly.Module(readFileSync(packageFile('@hyzyla/pdfium/pdfium.wasm')))
      const instance = new WebAssembly.Instance(compiled, imports)
      pdfium = instance.exports as unknown as Pdfium
      // The package's types call it a module.
      done(instance as never)
      return instance.exports
    },
  })
  const bytes = Buffer.from(pdfium!.memory.buffer)
  return { library, pdfium: pdfium!, atStart: memoryAtStart(bytes), sizeAtStart: bytes.length }
}

let known: Uint8Array | undefined

/** Each viewer starts with the same, which is looked for once for each thread: memory that no one has touched takes long to read. */
function memoryAtStart(bytes: Buffer): Uint8Array {
  if (!known || !bytes.subarray(0, known.length).equals(known)) known = Uint8Array.from(used(bytes))
  return known
}

/** A viewer that broke cannot be closed, only forgotten. */
export function endViewer(library: PDFiumLibrary): void {
  try {
    library.destroy()
  } catch {
    // Nothing is left to be done.
  }
}

function forgetAll({ pdfium, atStart }: Viewer): void {
  const bytes = Buffer.from(pdfium.memory.buffer)
  bytes.fill(0, atStart.length, Math.max(atStart.length, used(bytes).length))
  bytes.set(atStart)
}

const BLANK = Buffer.alloc(64 * 1024)

/** The memory up to the last part that is not all zero: a few megabytes, and what comes after them never needs to be cleared. */
function used(memory: Buffer): Buffer {
  let end = memory.length
  while (end >= BLANK.length && memory.subarray(end - BLANK.length, end).equals(BLANK)) end -= BLANK.length
  return memory.subarray(0, end)
}

/** Compiled once for each thread: that takes a hundred times as long as starting what was compiled. */
let compiled: WebAssembly.Module | undefined
