/** What the built declarations tell an editor and a compiler. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import ts from 'typescript-5.9'
import { ensureBuilt, root } from '../support/built.ts'
import { programs } from '../support/consumer/programs.ts'
import { undocumented } from '../support/consumer/undocumented.ts'

const PACKAGE = '@countersign/node-red-document-signature'

const EDITED = `
import { type Client, createClient, createOnce, type CreateTask, verifyWebhook } from '${PACKAGE}'
import { createService, type ServiceOptions } from '${PACKAGE}/server'
import { startSandbox } from '${PACKAGE}/testing'
declare const client: Client, body: CreateTask, options: ServiceOptions
const task = await client.readTask({ params: { id: 1 } })
task.output?.externalSavedDocumentId
body.patient.birthDate
body.document.annotations
options.port
options.maxAttachmentBytes
options.profile?.webhook?.toleranceSeconds
client.updateTask
const [template] = await client.listTemplates()
template?.diagnosisCodeRequired
const sandbox = await startSandbox()
sandbox.advance
createClient; createOnce; verifyWebhook; createService
`

/** What an editor must say where each of these first ends. */
const HOVERS: readonly (readonly [at: string, type: RegExp, says: RegExp])[] = [
  ['client.readTask', /readTask/, /Read one task, with its signed PDF when asked\./],
  ['client.updateTask', /updateTask/, /Record where the outcome was saved/],
  ['output?.externalSavedDocumentId', /string \| null/, /The id under which the sender stored the outcome/],
  ['patient.birthDate', /: string$/, /./],
  ['document.annotations', /annotations/, /./],
  ['options.port', /port\?: number \| undefined$/, /0 takes a free port.*\n@defaultValue 8090/],
  ['options.maxAttachmentBytes', /maxAttachmentBytes\?: number \| undefined$/, /in bytes/],
  ['webhook?.toleranceSeconds', /number \| undefined$/, /clock of the receiver.*\n@defaultValue 300/],
  ['template?.diagnosisCodeRequired', /boolean/, /./],
  ['sandbox.advance', /seconds: number/, /demo signers act/],
]

/** An OpenAPI document has the fields that OpenAPI gives it, and what a pool of documents is asked stands at its methods. */
const SAID_ELSEWHERE = ['lib/contract/openapi/openapi.d.ts: openapi.', 'server/pdf/']

describe('The declarations', () => {
  before(function () {
    this.timeout(300_000)
    ensureBuilt()
  })

  it('tell an editor what ten symbols are', function () {
    this.timeout(120_000)
    const { hover, mistakesOf } = programs({ 'edited.mts': EDITED })
    expect(mistakesOf('edited.mts')).to.deep.equal([])
    for (const [at, type, says] of HOVERS) {
      const shown = hover('edited.mts', at)
      expect(shown.type, at).to.match(type)
      expect(shown.says, at).to.match(says)
    }
  })

  it('say what each export, method, field and option is', function () {
    this.timeout(120_000)
    const found = undocumented(['lib/index.d.ts', 'server/door.d.ts', 'testing/door.d.ts'])
    expect(found.filter((name) => !SAID_ELSEWHERE.some((place) => name.startsWith(place)))).to.deep.equal([])
    for (const place of SAID_ELSEWHERE)
      expect(
        found.some((name) => name.startsWith(place)),
        place,
      ).to.equal(true)
  })

  it('let every snippet of the README and of the client guide compile in strict mode', function () {
    this.timeout(120_000)
    const pages = ['README.md', 'docs/guides/client.md']
      .map((file) => readFileSync(join(root, file), 'utf8'))
      .join('\n')
    const types = { baseUrl: 'string', apiKey: 'string', body: 'CreateTask', yourStore: 'Map<string, unknown>' }
    /** Declares what a snippet uses and does not declare itself. */
    const given = (code: string) =>
      [
        `import type { CreateTask } from '@countersign/node-red-document-signature'`,
        ...Object.entries(types)
          .filter(([name]) => !new RegExp(`const [^=]*\\b${name}\\b`).test(code))
          .map(([name, type]) => `declare const ${name}: ${type}`),
        'export {}',
        '',
      ].join('\n')
    const snippets = [...pages.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) =>
      // A snippet that goes on from the first uses what that imported.
      code!.startsWith('import')
        ? given(code!) + code
        : `import { createClient } from '${PACKAGE}'\n${given(code!)}${code}`,
    )
    expect(snippets).to.have.length.greaterThan(3)
    const names = snippets.map((_, index) => `snippet-${index}.mts`)
    const { mistakesOf } = programs(Object.fromEntries(snippets.map((code, index) => [names[index], code])))
    expect(names.map(mistakesOf)).to.deep.equal(snippets.map(() => []))
  })

  it('let CommonJS require each door under module node16', function () {
    this.timeout(120_000)
    const text = `
      import { createClient, type Task } from '${PACKAGE}'
      import server = require('${PACKAGE}/server')
      import { startSandbox } from '${PACKAGE}/testing'
      const client = createClient({ baseUrl: 'http://127.0.0.1', apiKey: 'x' })
      export const read = (): Promise<Task> => client.readTask({ params: { id: 1 } })
      export const service: Promise<server.Service> = server.createService({ port: 0 })
      export const sandbox = startSandbox()`
    const { mistakesOf } = programs({ 'consumer.cts': text }, { module: ts.ModuleKind.Node16 })
    expect(mistakesOf('consumer.cts')).to.deep.equal([])
  })

  it('do not reach the store of the service', () => {
    const reached = globSync('**/*.d.ts', { cwd: join(root, 'dist/commonjs') })
    expect(reached).to.include.members(['lib/index.d.ts', 'server/service.d.ts', 'testing/door.d.ts'])
    expect(reached.filter((file) => file.startsWith('server/store/'))).to.deep.equal([])
  })
})
