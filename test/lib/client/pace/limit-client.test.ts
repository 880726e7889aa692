/** How many calls of one client are under way at once. */
import { expect } from 'chai'
import type { Client } from '../../../../lib/client/client.ts'
import { limitClient } from '../../../../lib/client/pace/limit-client.ts'
import { settle } from '../../../support/fake-clock.ts'
import { aTaskRecord } from '../../support/bodies.ts'

describe('a client whose calls take turns', () => {
  it('has that many calls under way, of all kinds together, and begins the others in the order they came', async () => {
    const begun: string[] = []
    let underWay = 0
    let most = 0
    const called = async <T>(name: string, answer: T): Promise<T> => {
      begun.push(name)
      underWay += 1
      most = Math.max(most, underWay)
      await settle()
      underWay -= 1
      return answer
    }
    const client = limitClient(
      {
        readTask: ({ params: { id } }: { params: { id: number } }) => called(`read ${id}`, aTaskRecord({ taskId: id })),
        listTasks: () => called('list', []),
      } as unknown as Client,
      3,
    )
    const calls = [1, 2, 3, 4, 5].flatMap((id) => [client.readTask({ params: { id } }), client.listTasks()])
    const answers = await Promise.all(calls)
    expect(most).to.equal(3)
    expect(begun).to.deep.equal([1, 2, 3, 4, 5].flatMap((id) => [`read ${id}`, 'list']))
    expect(answers[8]).to.have.property('taskId', 5)
  })

  it('gives the place of a failed call to the next', async () => {
    const client = limitClient(
      {
        readTask: () => Promise.reject(new Error('no')),
        listTasks: async () => [],
      } as unknown as Client,
      1,
    )
    const failed = client.readTask({ params: { id: 1 } })
    const next = client.listTasks()
    expect(await failed.catch((failure: Error) => failure.message)).to.equal('no')
    expect(await next).to.deep.equal([])
  })
})
