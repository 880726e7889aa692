/** A named pipe, which blocks whoever opens it until somebody writes. */
import { execFileSync } from 'node:child_process'

export const makePipe = (path: string): void => void execFileSync('mkfifo', [path])
