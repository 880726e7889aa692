/** Special files: a named pipe, which blocks a program that opens it until another one writes; and a device without an end, which root alone can make. */
import { execFileSync } from 'node:child_process'

export const makePipe = (path: string): void => void execFileSync('mkfifo', [path])

/** Makes what `/dev/zero` is. */
export const makeDevice = (path: string): void => void execFileSync('mknod', [path, 'c', '1', '5'])
