/** docs/guides/client.md names the settings and exports that there are, and its round of a callback runs. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { ClientSettings } from '../../../../lib/client/client-settings.ts'
import * as library from '../../../../lib/index.ts'
import { aFolder } from '../../../support/a-folder.ts'
import { ran } from '../../../support/processes.ts'

describe('the guide to the client', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../../../docs/guides/client.md'), 'utf8')
  const snippets = [...guide.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code!)

  it('lists every setting, and no other', () => {
    const table = guide.slice(guide.indexOf('| setting'), guide.indexOf('Settings are checked'))
    const named = [...table.matchAll(/^\| (`.*?) +\|/gm)].flatMap(([, names]) => names!.match(/\w+/g))
    expect(named.sort()).to.deep.equal(Object.keys(ClientSettings.shape).sort())
  })

  it('imports what the library exports', () => {
    const imports = snippets.join('\n').matchAll(/import \{ (.*) \} from '@countersign\/.*'/g)
    const names = [...imports].flatMap(([, list]) => list!.split(', '))
    expect(names).to.have.length.above(8)
    for (const name of names) expect(library).to.have.property(name)
  })

  it('shows a callback that is signed and then verified', async () => {
    const code = snippets.find((snippet) => snippet.includes('signWebhook(')) ?? ''
    const file = join(aFolder(), 'snippet.ts')
    const at = import.meta.resolve('../../../../lib/index.ts')
    writeFileSync(file, code.replace('@countersign/node-red-document-signature', at))
    expect((await ran([file])).stdout).to.equal('1001\n')
  })
})
