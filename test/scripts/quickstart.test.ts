/** openapi.json is what a service answers, and the programs of the quickstart run as they stand. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect } from 'chai'
import { brunoFiles } from '../../scripts/bruno.ts'
import { aFolder } from '../support/a-folder.ts'
import { root } from '../support/built.ts'
import { ranProgram } from '../support/processes.ts'
import { installed } from '../support/seen/external-checks.ts'
import { type Served, serve } from '../support/service/served.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** A sandbox has examples that work when they are executed: ids that exist, and days of today. */
function withoutExamples(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutExamples)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([name]) => name !== 'example' && name !== 'examples')
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutExamples(member)]))
}

describe('openapi.json and the quickstart', function () {
  this.timeout(120_000)
  let service: Served
  before(async () => {
    service = await serve(['--sandbox', '--seed', 'demo', '--data', ':memory:'])
  })
  after(() => service?.kill())

  it('openapi.json is what a service answers, but for the examples of a sandbox; npm run docs writes it', async () => {
    const answer: unknown = await (await fetch(`${service.baseUrl}/openapi.json`)).json()
    expect(withoutExamples(JSON.parse(read('openapi.json')))).to.deep.equal(withoutExamples(answer))
  })

  it('bruno/ holds the requests of openapi.json; npm run docs writes them', () => {
    const files = readdirSync(join(root, 'bruno'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(join(root, 'bruno'), join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    const expected = brunoFiles(root, read('openapi.json'))
    expect(files.sort()).to.deep.equal([...expected.keys()].sort())
    for (const [path, text] of expected) expect(read(`bruno/${path}`), path).to.equal(text)
  })

  // A Debian with nothing but Node.js has neither.
  for (const [name, program] of [
    ...(installed.curl ? ([['quickstart.sh', 'sh']] as const) : []),
    ...(installed.python3 ? ([['quickstart.py', 'python3']] as const) : []),
  ])
    describe(name, () => {
      /** Runs the program of the quickstart, by default as it says, with a document next to it. */
      async function run(document: Uint8Array | string | null, key = service.apiKeys[0]!.key) {
        const folder = aFolder()
        const block = new RegExp(`^\`\`\`\\w+ ${name.replace('.', '\\.')}\\n([\\s\\S]*?)^\`\`\``, 'm')
        writeFileSync(join(folder, name), block.exec(read('docs/guides/quickstart.md'))![1]!)
        if (document !== null) writeFileSync(join(folder, 'order.pdf'), document)
        const env = { ...process.env, URL: service.baseUrl, KEY: key }
        return { folder, ...(await ranProgram(program, [name], { cwd: folder, env })) }
      }
      const order = readFileSync(join(root, 'samples/files/plan-of-care.pdf'))

      it(`gets a signed PDF with ${program}`, async () => {
        const { folder, stdout, stderr } = await run(order)
        expect(stdout, stderr).to.match(/^created task \d+\nsigned and recorded\n$/)
        const signed = readFileSync(join(folder, 'signed.pdf'))
        expect(signed.subarray(0, 5).toString()).to.equal('%PDF-')
        expect(signed.includes('/ByteRange')).to.equal(true)
      })

      const wrong: [what: string, run: () => ReturnType<typeof run>, reason: RegExp][] = [
        ['no key', () => run(order, ''), /KEY/],
        ['a wrong key', () => run(order, 'csk_test_wrong'), /"errors":\[/],
        ['no document', () => run(null), /order\.pdf/],
        ['a document that is not a PDF', () => run('Dear doctor'), /PDF/],
      ]
      for (const [what, runs, reason] of wrong)
        it(`ends and says why, with ${what}`, async () => {
          const { folder, code, stdout, stderr } = await runs()
          expect(stderr, stdout).to.match(reason)
          expect(code).to.be.greaterThan(0)
          expect(existsSync(join(folder, 'signed.pdf'))).to.equal(false)
        })
    })
})
