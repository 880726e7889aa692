/**
 * Tries PDFs that others have published: `CORPUS=<folder> npm run corpus:pdf`. Receives and signs every PDF of the folder that poppler
 * opens without a password, has qpdf and pdfsig check what was sealed, and compares its pages with those of the file as received.
 * Prints how many are plain, drawn, and refused, with the reasons. `OUT=<file>` keeps a line of JSON for each file, and a later run
 * with the same file continues where the earlier one ended; `COUNT` takes so many files of each folder, chosen by `SEED`;
 * `SIGN=no` only classifies. Exits with 1 when an accepted file could not be signed, is not valid, or looks different.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { keepOnPage } from '../lib/pdf/geometry.ts'
import type { Field } from '../lib/pdf/placement/placement.ts'
import { isDrawn } from '../lib/pdf/prepare/preparation.ts'
import { createPdfPool } from '../server/pdf/workers/pool.ts'
import { FINE, LIMIT } from '../test/support/mutants/judge.ts'
import { aCompletion, aField, SIGNED_AT } from '../test/support/pdf/a-completion.ts'
import { inspectedAsShown } from '../test/support/pdf/as-shown.ts'
import { randomFrom } from '../test/support/random.ts'
import { pdfsigAnswers, qpdfComplaints } from '../test/support/seen/external-checks.ts'
import { createPainters, distance, type Painters } from '../test/support/seen/pictures.ts'

const { CORPUS, OUT, SIGN } = process.env
const COUNT = Number(process.env.COUNT ?? Infinity)
const random = randomFrom(Number(process.env.SEED ?? 1))
if (CORPUS === undefined) {
  console.error('CORPUS: name the folder with the PDFs, for example CORPUS=/tmp/pdfs npm run corpus:pdf')
  process.exit(2)
}

interface Tried {
  name: string
  producer: string
  /** Poppler draws it without a warning, and qpdf finds no error. */
  isOrdinary: boolean
  kind: 'plain' | 'drawn' | 'refused'
  /** Why it is refused, or not plain. */
  reason?: string
  /** The error of an accepted file once it was signed. */
  wrong?: string
  /** Milliseconds until it was received, on the clock. */
  ms: number
}

const LARGEST = 24 * 1024 * 1024
/** Pictures of pages further back are not compared. */
const MOST_PAGES = 10
const box = { left: 350, top: 20, right: 530, bottom: 56 }

const pool = createPdfPool({ threads: 1 })
const painters = createPainters(true)
const known = new Set<string>()
const done = OUT !== undefined && existsSync(OUT) ? readFileSync(OUT, 'utf8').split('\n').filter(Boolean) : []
const tried: Tried[] = done.map((line) => JSON.parse(line) as Tried)
const names = new Set(tried.map(({ name }) => name))
let unopened = 0

for (const file of chosenFiles(CORPUS)) {
  const name = relative(CORPUS, file)
  const pdf = readFileSync(file)
  const digest = createHash('sha256').update(pdf).digest('hex')
  if (known.has(digest) || names.has(name)) continue
  known.add(digest)
  const facts = popplerFacts(file)
  if (!facts) {
    unopened++
    continue
  }
  const result: Tried = { name, ...facts, ...(await tryFile(pdf)) }
  tried.push(result)
  if (OUT !== undefined) appendFileSync(OUT, `${JSON.stringify(result)}\n`)
}
await pool.close()
await painters.close()
report()

/** Returns as many files of each folder as are wanted, in random order, so that a run that was ended early has some of each. */
function chosenFiles(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.pdf$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => statSync(file).size <= LARGEST)
    .toSorted()
  const folderOf = (file: string) => relative(folder, file).split(sep)[0]!
  const chosen = [...grouped(files, folderOf).values()].flatMap((some) => random.some(some, COUNT))
  return chosen
    .map((file) => ({ file, place: random.below(2 ** 30) }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ file }) => file)
}

/** Null where poppler does not open the file without a password. */
function popplerFacts(file: string): Pick<Tried, 'producer' | 'isOrdinary'> | null {
  const info = spawnSync('pdfinfo', [file], { encoding: 'latin1', timeout: 20_000 })
  if (info.status !== 0) return null
  const producer = /^Producer:\s*(.*)$/m.exec(info.stdout)?.[1] ?? ''
  const drawn = spawnSync('pdftoppm', ['-r', '20', '-l', '5', file], { timeout: 30_000, maxBuffer: 2 ** 28 })
  const isSilent = drawn.status === 0 && drawn.stderr.length === 0 && info.stderr === ''
  const isClean = spawnSync('qpdf', ['--check', file], { timeout: 30_000, stdio: 'ignore' }).status === 0
  return { producer, isOrdinary: isSilent && isClean }
}

async function tryFile(pdf: Buffer): Promise<Omit<Tried, 'name' | 'producer' | 'isOrdinary'>> {
  const attachment = pdf.toString('base64')
  const start = performance.now()
  const inspected = await inspectedAsShown(pool, pdf)
  const ms = Math.round(performance.now() - start)
  if (!inspected.ok) return { kind: 'refused', reason: inspected.problem, ms }
  const wasDrawn = isDrawn(inspected.preparations)
  const plain = wasDrawn ? await pool.inspect(attachment, { documents: 'refuse' }) : null
  const field = aField({ box: keepOnPage(box, inspected.pages[0]!) })
  const wrong = SIGN === 'no' ? null : await wrongOnceSigned(pdf, inspected.pdf, field)
  return {
    kind: wasDrawn ? 'drawn' : 'plain',
    ...(plain && !plain.ok && { reason: plain.problem }),
    ...(wrong !== null && { wrong }),
    ms,
  }
}

async function wrongOnceSigned(received: Uint8Array, accepted: Uint8Array, field: Field): Promise<string | null> {
  const rehearsed = await pool.rehearse(accepted, { fields: [field], signature: 'inFields', at: SIGNED_AT })
  // It fails when it is received, with this reason, and reaches no signer.
  if (!rehearsed.ok) return `not rehearsed: ${rehearsed.problem}`
  const completed = await pool.complete(accepted, await aCompletion({ fields: [field] }))
  if (!completed.ok) return `NOT SIGNED: ${completed.problem}`
  const known = qpdfComplaints(received)
  const complaint = qpdfComplaints(completed.pdf).find((one) => !known.includes(one))
  if (complaint !== undefined) return `qpdf: ${complaint}`
  const signatures = pdfsigAnswers(completed.pdf)
  if (!signatures.at(-1)?.isValid || !signatures.at(-1)?.isTotal) return 'pdfsig: not valid'
  const differs = async (draw: Painters['reader']) => {
    const apart = await distances(draw, 1)
    // Thin lines are rounded to pixels.
    const figures = apart.some((figure) => figure > LIMIT) ? await distances(draw, FINE) : apart
    return { page: figures.findIndex((figure) => figure > LIMIT) + 1, most: Math.max(0, ...figures) }
  }
  const distances = async (draw: Painters['reader'], scale: number) => {
    const pictures = await draw(received, MOST_PAGES, scale).catch(() => [])
    const sealed = await painters.others.poppler!(completed.pdf, pictures.length, scale)
    return pictures.map((picture, i) => (sealed[i] ? distance(picture, sealed[i], i === 0 ? [field.box] : []) : 255))
  }
  const before = await differs(painters.others.poppler!)
  if (before.page === 0) return null
  // A drawn document shows what PDFium shows of the file as received; poppler may show something else.
  const inPdfium = await differs(painters.others.pdfium!)
  return inPdfium.page === 0
    ? `as PDFium shows it, not as poppler (page ${before.page}: ${before.most.toFixed()})`
    : `LOOKS DIFFERENT: page ${before.page} by ${before.most.toFixed()} for poppler, ${inPdfium.most.toFixed()} for PDFium`
}

function report(): void {
  console.log(`${unopened} files are not opened by poppler without a password.`)
  for (const isOrdinary of [true, false]) {
    const some = tried.filter((one) => one.isOrdinary === isOrdinary)
    console.log(`\n${isOrdinary ? 'Ordinary' : 'Other'} files: ${some.length}`)
    for (const kind of ['plain', 'drawn', 'refused'] as const) {
      const count = some.filter((one) => one.kind === kind).length
      console.log(`${String(count).padStart(6)}  ${kind} (${((100 * count) / Math.max(1, some.length)).toFixed(1)} %)`)
    }
    list(
      'refused',
      some.filter(({ kind }) => kind === 'refused'),
      ({ reason = '' }) => reason,
    )
    list(
      'drawn',
      some.filter(({ kind }) => kind === 'drawn'),
      ({ reason = '' }) => reason,
    )
    list(
      'once signed',
      some.filter(({ wrong }) => wrong !== undefined),
      ({ wrong = '' }) => wrong,
    )
  }
  const isBad = ({ wrong = '' }: Tried) => /NOT SIGNED|LOOKS DIFFERENT|^qpdf|^pdfsig/.test(wrong)
  const bad = tried.filter(isBad)
  for (const { name, wrong } of bad) console.log(`${name}: ${wrong}`)
  process.exitCode = bad.length > 0 ? 1 : 0
}

function list(title: string, some: readonly Tried[], by: (one: Tried) => string): void {
  const kinds = grouped(some, (one) => by(one).replace(/\d+(?:\.\d+)?/g, '#'))
  for (const [kind, those] of [...kinds].toSorted(([, a], [, b]) => b.length - a.length))
    console.log(`  ${title}: ${String(those.length).padStart(5)}  ${kind} (${those[0]!.name})`)
}

function grouped<T>(items: readonly T[], by: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(by(item), [...(groups.get(by(item)) ?? []), item])
  return groups
}
