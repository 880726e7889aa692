/** The signed PDF of a task: fetched, and saved so that nobody ever sees half a file. It never looks inside the document. */
import { createHash } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Client } from '../../lib/client/client.ts'
import type { Task } from '../../lib/contract/task.ts'
import { NodeError } from './failures.ts'

export interface SignedDocument {
  bytes: Buffer
  /** Of the bytes, lowercase hex. */
  sha256: string
  task: Task
}

/** Fails with NOT_COMPLETED before the signer has signed. */
export async function fetchSigned(client: Client, taskId: number, signal: AbortSignal): Promise<SignedDocument> {
  const task = await client.readTask({ params: { id: taskId }, query: { includeOutputAttachment: true } }, { signal })
  const { status, output } = task
  if (status !== 'Completed' || !output?.attachment)
    throw new NodeError('NOT_COMPLETED', `Task ${taskId} is ${status}; only a Completed task has a signed PDF.`)
  const bytes = Buffer.from(output.attachment, 'base64')
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex'), task }
}

/** `{taskId}` and `{externalDocId}` in the pattern are filled; whatever could lead out of the folder becomes `_`. */
export function fileName(pattern: string, values: Record<string, string | number>): string {
  const filled = pattern.replace(/\{(\w+)\}/g, (whole, key: string) => String(values[key] ?? whole))
  return (
    filled
      .replace(/[^\p{L}\p{N} ._()-]/gu, '_')
      .replace(/^\.+/, '_')
      .slice(0, 200) || 'signed.pdf'
  )
}

/**
 * Writes under a temporary name in the same folder and renames when all is on the disk. `unique` keeps the temporary names of
 * two writers apart. Gives the absolute path.
 */
export async function saveWhole(folder: string, name: string, bytes: Buffer, unique: string): Promise<string> {
  if (!folder) throw new NodeError('NO_FOLDER', 'No folder is set. Open the node and name the folder for signed PDFs.')
  const path = resolve(folder, name)
  const temporary = join(resolve(folder), `.${unique}.tmp`)
  try {
    await mkdir(folder, { recursive: true })
    const file = await open(temporary, 'wx')
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
    return path
  } catch (failure) {
    await rm(temporary, { force: true }).catch(() => {})
    const { code = 'UNKNOWN' } = failure as NodeJS.ErrnoException
    throw new NodeError('CANNOT_SAVE', `The signed PDF cannot be written into the folder (${code}).`)
  }
}
