import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect } from 'chai'

describe('What large messages leave', () => {
  it('is collected when that is asked for, and after each 24 MB in a later turn; gc stays unknown to flows', async () => {
    const thread = new Worker(new URL('../support/hl7/collecting.ts', import.meta.url))
    const [said] = await once(thread, 'message')
    await thread.terminate()
    expect(said).to.deep.equal({
      after: {
        nothing: [],
        collect: ['first'],
        '23 MB': ['first'],
        'the same turn': ['first'],
        '24 MB': ['first', 'second'],
        '1 MB more': ['first', 'second'],
      },
      isKnown: false,
    })
  })
})
