/** Makes the files of a process fail to grow, as on a failing disk. Linux only. */
import { execFileSync } from 'node:child_process'

/** @param bytes how large a file may become: a number, or `unlimited` */
export const limitWrites = (pid: number, bytes: string): void => {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`])
}
