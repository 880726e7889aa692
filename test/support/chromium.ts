/** Which Chromium the tests drive: the one of CHROME_PATH, else the machine's, else the one that comes as a package. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export interface Chromium {
  executablePath: string
  env?: Record<string, string>
}

const INSTALLED = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

export async function chromiumToDrive(): Promise<Chromium> {
  const executablePath = process.env.CHROME_PATH ?? INSTALLED.find((candidate) => existsSync(candidate))
  return executablePath ? { executablePath } : packagedChromium()
}

/** Mocha calls this once: several files of tests that unpack a package at the same moment would be in each other's way. */
export async function mochaGlobalSetup(): Promise<void> {
  await chromiumToDrive()
}

/** With its libraries and fonts where the machine lacks those too. */
async function packagedChromium(): Promise<Chromium> {
  const { default: chromium, inflate } = await import('@sparticuz/chromium')
  const bundles = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '../bin')
  const executablePath = await chromium.executablePath()
  const env = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >
  // The machine's own libraries are the better ones, so the package's are for a machine that lacks some.
  if (lacksLibraries(executablePath)) env.LD_LIBRARY_PATH = join(await inflate(join(bundles, 'al2023.tar.br')), 'lib')
  if (!existsSync('/etc/fonts/fonts.conf')) env.FONTCONFIG_PATH = await inflate(join(bundles, 'fonts.tar.br'))
  return { executablePath, env }
}

const lacksLibraries = (program: string) => execFileSync('ldd', [program], { encoding: 'utf8' }).includes('not found')
