/** The Chromium that comes as a package, for machines without one; with its libraries and fonts where the machine lacks those too. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export interface Packaged {
  executablePath: string
  env: Record<string, string>
}

export async function packagedChromium(): Promise<Packaged> {
  const { default: chromium, inflate } = await import('@sparticuz/chromium')
  const bundles = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '../bin')
  const executablePath = await chromium.executablePath()
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([, value]) => value !== undefined),
  ) as Packaged['env']
  // The machine's own libraries are the better ones, so the package's are for a machine that lacks some.
  if (lacksLibraries(executablePath)) env.LD_LIBRARY_PATH = join(await inflate(join(bundles, 'al2023.tar.br')), 'lib')
  if (!existsSync('/etc/fonts/fonts.conf')) env.FONTCONFIG_PATH = await inflate(join(bundles, 'fonts.tar.br'))
  return { executablePath, env }
}

const lacksLibraries = (program: string) => execFileSync('ldd', [program], { encoding: 'utf8' }).includes('not found')
