/** Where a journal can live, and what is said where it cannot. */
import { expect } from 'chai'
import { openJournal } from '../../../lib/journal/open.ts'

const messageOf = async (work: Promise<unknown>) =>
  work.then(
    () => 'opened',
    (failure: Error) => failure.message,
  )

describe('opening a journal', () => {
  it('says which package is missing, and how to get it', async () => {
    expect(await messageOf(openJournal('redis://127.0.0.1:6379', 'a'))).to.contain('npm install @keyv/redis')
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
