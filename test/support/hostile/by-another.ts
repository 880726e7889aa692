/** Another user of this machine, with functions of node:fs; the same user where this process is not root's and so cannot choose one. */
import * as fs from 'node:fs'
import { join } from 'node:path'
import { forked } from '../processes.ts'

/** Numbers that no user of a machine has. They share the group of the folder. */
const GID = 54_300
export const isRoot = process.getuid?.() === 0
export const NODE_RED_USER = isRoot ? { uid: 54_301, gid: GID } : undefined
const DROPPER = isRoot ? { uid: 54_302, gid: GID } : undefined

type Name =
  | 'writeFileSync'
  | 'mkdirSync'
  | 'renameSync'
  | 'rmSync'
  | 'symlinkSync'
  | 'linkSync'
  | 'chmodSync'
  | 'readFileSync'

/** Rejects with the code of what Node.js says. */
export function anotherUser() {
  const child = forked(join(import.meta.dirname, 'by-another.cjs'), [], { user: DROPPER, cwd: '/' })
  let last = 0
  return {
    act<N extends Name>(name: N, ...given: Parameters<(typeof fs)[N]>): Promise<string> {
      const id = ++last
      return new Promise((resolve, reject) => {
        const listen = (answer: { id: number; result?: string; code?: string }) => {
          if (answer.id !== id) return
          child.off('message', listen)
          if (answer.code === undefined) resolve(answer.result ?? '')
          else reject(new Error(answer.code))
        }
        child.on('message', listen)
        child.send({ id, name, given })
      })
    },
    end: () => void child.disconnect(),
  }
}

/** Gives a folder to Node-RED's user, and lets the other one write into it, as for a share. */
export function share(folder: string): void {
  if (NODE_RED_USER) fs.chownSync(folder, NODE_RED_USER.uid, GID)
  fs.chmodSync(folder, 0o2770)
}
