/** Where a journal can live, and what is said where it cannot. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { openJournal } from '../../../lib/journal/open.ts'
import { ran } from '../../support/processes.ts'

const messageOf = async (work: Promise<unknown>) =>
  work.then(
    () => 'opened',
    (failure: Error) => failure.message,
  )

describe('opening a journal', () => {
  it('says which package is missing, and how to get it', async () => {
    // This library where none of them is installed.
    const folder = mkdtempSync(join(tmpdir(), 'journal-alone-'))
    cpSync('lib', join(folder, 'lib'), { recursive: true })
    for (const [url, name] of [
      ['redis://127.0.0.1:6379', '@redis/client'],
      ['postgres://127.0.0.1:5432/a', 'pg'],
    ] as const) {
      const open = `const { openJournal } = await import('./lib/journal/open.ts'); await openJournal('${url}', 'a')`
      const { code, stderr } = await ran(['--input-type=module', '-e', open], { cwd: folder })
      expect(stderr).to.contain(`This journal needs the package ${name}`).and.contain(`npm install ${name}`)
      expect(code).to.equal(1)
    }
    rmSync(folder, { recursive: true })
  })

  it('says where a journal can live', async () => {
    const message = await messageOf(openJournal('mysql://user:canary-password@host/db', 'a'))
    expect(message).to.contain('a file path, :memory:, or a redis, rediss or postgres URL')
    expect(message).not.to.contain('canary')
  })

  it('fails at once where no file can be made', async () => {
    expect(await messageOf(openJournal('/dev/null/journal.sqlite', 'a'))).not.to.equal('opened')
  })
})
