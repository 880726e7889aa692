/** Bundles a module of the package alone, as an application that uses nothing else would, minified and by Vite. */
import { join } from 'node:path'
import { build } from 'vite'

/** The size of `verifyWebhook` alone that docs/guides/client.md states, in kilobytes of 1000 bytes. */
export const VERIFY_WEBHOOK_KB = 8

export interface Bundle {
  code: string
  /** The files whose code is in it. */
  modules: readonly string[]
}

/**
 * @param root the folder that the packages are resolved from
 * @param entry the name of a file there
 */
export async function bundle(root: string, entry: string): Promise<Bundle> {
  const built = await build({
    root,
    configFile: false,
    logLevel: 'silent',
    ssr: { noExternal: true },
    build: { ssr: join(root, entry), write: false, minify: true },
  })
  const { output } = [built].flat()[0] as { output: readonly Chunk[] }
  const modules = output.flatMap((chunk) => Object.entries(chunk.modules ?? {}))
  return {
    code: output.map((chunk) => chunk.code ?? '').join(''),
    modules: modules.filter(([, { renderedLength }]) => renderedLength > 0).map(([file]) => file),
  }
}

interface Chunk {
  code?: string
  modules?: Readonly<Record<string, { renderedLength: number }>>
}
