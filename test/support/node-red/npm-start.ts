/** `npm start` as its user runs it, on ports and in a folder of its own. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { ensureBuilt, root } from '../built.ts'
import { started } from '../processes.ts'

export interface Started {
  child: ChildProcess
  /** What it said until the wanted text was there. Rejects with all of it when it ends before. */
  textUntil(wanted: RegExp): Promise<string>
  stop(): Promise<void>
}

export interface StartOptions {
  userDir: string
  editorPort: number
  servicePort: number
  /** Whether it builds first, as `npm start` does. */
  builds?: boolean
}

export function start({ userDir, editorPort, servicePort, builds = false }: StartOptions): Started {
  ensureBuilt()
  const env = { ...process.env, NODE_RED_USER_DIR: userDir, NODE_RED_PORT: `${editorPort}`, PORT: `${servicePort}` }
  const child = started([join(root, 'scripts/start.ts'), ...(builds ? ['--build'] : [])], {
    cwd: root,
    env,
    showsKeys: true,
  })
  const gone = once(child, 'exit')
  let text = ''
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (chunk: Buffer) => {
      text += chunk
    })
  return {
    child,
    async textUntil(wanted) {
      for (;;) {
        if (wanted.test(text)) return text
        if (child.exitCode !== null) throw new Error(`It ended with: ${text}`)
        await Promise.race([once(child.stdout!, 'data'), once(child.stderr!, 'data'), gone])
      }
    },
    async stop() {
      if (child.exitCode === null) child.kill('SIGTERM')
      await gone
    },
  }
}
