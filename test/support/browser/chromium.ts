/** Which Chromium the tests drive: the one of CHROME_PATH, else the machine's, else the one that comes as a package. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'

export interface Chromium {
  executablePath: string
  env?: Record<string, string>
}

// The shell has no window to draw, so pages take it a fifth less time.
const INSTALLED = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
)

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
  const folder = await unpacked()
  const executablePath = join(folder, 'chromium')
  const env = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >
  // The machine's own libraries fit better; the package's are for a machine that lacks some.
  if (lacksLibraries(executablePath)) env.LD_LIBRARY_PATH = join(folder, 'al2023', 'lib')
  if (!existsSync('/etc/fonts/fonts.conf')) env.FONTCONFIG_PATH = join(folder, 'fonts')
  return { executablePath, env }
}

/**
 * The package unpacks into the temporary folder of the machine and uses what lies there already, even when another user left it
 * or only a part of it is there. So each user has a folder for each version, which bears its name only once it is complete.
 */
async function unpacked(): Promise<string> {
  const home = dirname(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')))
  const { version } = createRequire(import.meta.url)(join(home, 'package.json')) as { version: string }
  const folder = join(tmpdir(), `countersign-chromium-${version}-${userInfo().uid}`)
  if (existsSync(folder)) return folder
  const { inflate } = await import('@sparticuz/chromium')
  const temporary = process.env.TMPDIR
  const making = mkdtempSync(`${folder}-`)
  process.env.TMPDIR = making
  try {
    for (const bundle of ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br'])
      await inflate(join(home, 'bin', bundle))
    writeFileSync(join(making, 'fonts', 'fonts.conf'), fontsIn(folder))
  } finally {
    if (temporary === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = temporary
  }
  try {
    renameSync(making, folder)
  } catch {
    // Another run was first.
    rmSync(making, { recursive: true, force: true })
  }
  return folder
}

/** The package names a folder of its own; a Chromium without any font ends at the first letter that it lacks. */
const fontsIn = (folder: string) => `<?xml version="1.0" ?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, 'fonts')}</dir>
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
</fontconfig>
`

const lacksLibraries = (program: string) => execFileSync('ldd', [program], { encoding: 'utf8' }).includes('not found')
