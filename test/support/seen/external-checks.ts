/** Checks by programs of others, where they are installed. Without them the suite relies on its own checks, and says so. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const isInstalled = (command: string) => spawnSync(command, ['--version']).error === undefined

export const installed = {
  qpdf: isInstalled('qpdf'),
  mutool: isInstalled('mutool'),
  pdfsig: isInstalled('pdfsig'),
  pdftoppm: isInstalled('pdftoppm'),
  pdftotext: isInstalled('pdftotext'),
  openssl: isInstalled('openssl'),
  redis: isInstalled('redis-server'),
  /** What the quickstart runs. */
  curl: isInstalled('curl'),
  python3: isInstalled('python3'),
  /** The fonts that belong to the format, without which poppler replaces Symbol by any font it finds. */
  standardFonts: String(spawnSync('fc-match', ['ZapfDingbats']).stdout).includes('D050000L'),
}

/** Other viewers that are installed, by the name of their program. */
export const installedViewers = (['mutool', 'gs'] as const).filter(isInstalled)

/** Runs a program of others that writes files, and nothing else that anybody needs. */
export function runTool(tool: string, options: readonly string[]): void {
  execFileSync(tool, options, { stdio: 'ignore' })
}

/** Returns what openssl prints, run in a folder. */
export const opensslIn = (cwd: string, ...args: string[]): string =>
  execFileSync('openssl', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

function withFile<T>(pdf: Uint8Array, use: (file: string) => T): T {
  const folder = mkdtempSync(path.join(tmpdir(), 'countersign-test-'))
  try {
    const file = path.join(folder, 'document.pdf')
    writeFileSync(file, pdf)
    return use(file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What `qpdf --check` complains about. */
export function qpdfComplaints(pdf: Uint8Array): string[] {
  return withFile(pdf, (file) => {
    const { stdout, stderr } = spawnSync('qpdf', ['--check', file], { encoding: 'utf8' })
    return `${stdout}\n${stderr}`
      .split('\n')
      .filter(
        (line) =>
          /WARNING|ERROR|error|damaged/.test(line) &&
          !/No syntax or stream encoding errors|errors that qpdf cannot detect/.test(line),
      )
      .map((line) => line.replaceAll(file, 'document.pdf'))
  })
}

/** The complaints of other viewers that are installed about a file that they open, by the name of their program. Repairs count. */
export function openingComplaints(pdf: Uint8Array): Record<string, string[]> {
  const tools: Record<string, readonly [options: readonly string[], complaint: RegExp]> = {
    gs: [['-dPDFDEBUG', '-dNOPAUSE', '-dBATCH', '-sDEVICE=nullpage'], /error|repair/i],
    mutool: [['draw', '-o', '/dev/null', '-r', '20'], /error|repair|xref/i],
    pdftoppm: [['-r', '20', '-png'], /./],
  }
  const there = Object.entries(tools).filter(([tool]) =>
    tool === 'pdftoppm' ? installed.pdftoppm : installedViewers.some((viewer) => viewer === tool),
  )
  return withFile(pdf, (file) =>
    Object.fromEntries(
      there.map(([tool, [options, complaint]]) => {
        const { status, stdout, stderr } = spawnSync(tool, [...options, file], { encoding: 'latin1' })
        const said = tool === 'pdftoppm' ? stderr : `${stdout}\n${stderr}`
        const complaints = said.split('\n').filter((line) => complaint.test(line))
        return [tool, status === 0 ? complaints : [`ends with ${status}`, ...complaints]]
      }),
    ),
  )
}

export interface PdfsigAnswer {
  isValid: boolean
  isTotal: boolean
}

/** What `pdfsig` says of each signature, in its order. */
export function pdfsigAnswers(pdf: Uint8Array): PdfsigAnswer[] {
  return withFile(pdf, (file) => {
    const text = execFileSync('pdfsig', ['-nocert', file], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    return text
      .split(/^Signature #/m)
      .slice(1)
      .map((part) => ({
        isValid: part.includes('Signature is Valid.'),
        isTotal: /Total document signed\s/.test(part) && !part.includes('Not total document signed'),
      }))
  })
}

/** What systemd does not understand of a unit file. */
export function unitComplaints(name: string, unit: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'countersign-test-'))
  try {
    const file = path.join(folder, name)
    writeFileSync(file, unit)
    const { status, stderr, error } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })
    if (error) throw error
    return status === 0 ? stderr : `${status}: ${stderr}`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
