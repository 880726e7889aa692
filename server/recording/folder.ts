/** The folder of a recording: made for one recording, and read as a whole. */
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MOST_BYTES, readPlainFile } from '../../lib/plain-file.ts'
import type { Exchange, RecordingFile } from './exchange.ts'
import { Exchange as ExchangeSchema, RecordingFile as FileSchema, FORMAT, fileOf, RECORDING_FILE } from './exchange.ts'

/** A folder is not what it must be; the message says what to do. */
export class FolderError extends Error {
  override readonly name = 'FolderError'
}

/**
 * Makes the folder, for this user alone, and writes down how the host speaks.
 * @throws FolderError when there is something in it already
 */
export async function makeFolder(folder: string, file: RecordingFile): Promise<void> {
  const failed = ({ code }: NodeJS.ErrnoException) => {
    throw new FolderError(`The folder cannot be written to (${code}). Give another one.`)
  }
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(failed)
  const found = await readdir(folder).catch(failed)
  if (found.length > 0)
    throw new FolderError('The folder is not empty. Give a new one: a recording has a folder of its own.')
  await writeJson(join(folder, RECORDING_FILE), file).catch(failed)
}

export const writeExchange = (folder: string, exchange: Exchange): Promise<void> =>
  writeJson(join(folder, fileOf(exchange)), exchange)

const writeJson = (file: string, value: unknown): Promise<void> =>
  writeFile(file, `${JSON.stringify(value, null, 2)}\n`, { flag: 'wx', mode: 0o600 })

export interface Recording {
  profile: RecordingFile['profile']
  /** In the order in which the calls came. */
  exchanges: readonly Exchange[]
}

/**
 * Reads a recording.
 * @throws FolderError when it is none, is damaged, is of another version, or is mixed with another one
 */
export async function readFolder(folder: string): Promise<Recording> {
  const names = await readdir(folder).catch(({ code }: NodeJS.ErrnoException) => {
    throw new FolderError(`The folder cannot be read (${code}).`)
  })
  if (!names.includes(RECORDING_FILE))
    throw new FolderError(`This is no recording: ${RECORDING_FILE} is missing. countersign record makes one.`)
  const { recording, profile } = await readJson(folder, RECORDING_FILE, FileSchema)
  const exchanges: Exchange[] = []
  for (const name of names.filter((one) => /^\d+-\w+\.json$/.test(one)).sort()) {
    const exchange = await readJson(folder, name, ExchangeSchema)
    if (exchange.recording !== recording)
      throw new FolderError(`${name} belongs to another recording. Keep each recording in a folder of its own.`)
    exchanges.push(exchange)
  }
  if (exchanges.length === 0) throw new FolderError('The recording holds no call. Record some first.')
  return { profile, exchanges: exchanges.sort((a, b) => a.number - b.number) }
}

type Schema<T> = { safeParse(value: unknown): { success: true; data: T } | { success: false } }

async function readJson<T>(folder: string, name: string, schema: Schema<T>): Promise<T> {
  // Recordings are passed on, and one may have links among its files.
  const value: unknown = await readPlainFile(join(folder, name), { mostBytes: MOST_BYTES })
    .then((bytes) => JSON.parse(bytes.toString()))
    .catch(() => null)
  const { format } = (value ?? {}) as { format?: unknown }
  if (typeof format === 'number' && format !== FORMAT)
    throw new FolderError(
      `${name} has format ${format}, and this version reads format ${FORMAT}. Record again, or use the version that recorded it.`,
    )
  const read = schema.safeParse(value)
  if (!read.success) throw new FolderError(`${name} is damaged. Take it from a copy, or record again.`)
  return read.data
}
