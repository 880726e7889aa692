/** Makes a small file that is there with all of its content, or not at all: not even a full disk leaves part of it. */
import { constants, copyFileSync, linkSync, rmSync, writeFileSync } from 'node:fs'

/** The file is for this user alone. One that another process has made in the meantime stays as it is. */
export function putWhole(file: string, content: string): void {
  const beside = `${file}.${process.pid}`
  try {
    // A link that waits under this name is removed, and never followed.
    rmSync(beside, { force: true })
    writeFileSync(beside, content, { flag: 'wx', mode: 0o600, flush: true })
    placeAt(file, beside)
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException
    throw new Error(`${file} could not be written (${code}). Make room on the disk, or give --data another folder.`)
  } finally {
    rmSync(beside, { force: true })
  }
}

function placeAt(file: string, beside: string): void {
  try {
    linkSync(beside, file)
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'EEXIST') return
    copyOver(file, beside)
  }
}

/** Where the file system has no links. */
function copyOver(file: string, beside: string): void {
  try {
    copyFileSync(beside, file, constants.COPYFILE_EXCL)
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'EEXIST') return
    rmSync(file, { force: true })
    throw failure
  }
}
