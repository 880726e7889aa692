/** Workers are told of work when it is on the disk, and only then. */
import { expect } from 'chai'
import { matchPatient } from '../../../server/domain/task/matching.ts'
import { transition } from '../../../server/domain/task/task.ts'
import type { Store } from '../../../server/store/store.ts'
import { claim } from '../../support/service/task-steps.ts'
import { aDispatch, type TestDispatch } from '../../support/store/a-dispatch.ts'

type Inside = Parameters<Parameters<Store['ingestion']['together']>[0]>[0]

describe('A new event', () => {
  let dispatch: TestDispatch
  let announced: string[]
  beforeEach(async () => {
    dispatch = await aDispatch()
    await dispatch.aTaskId()
    announced = []
    dispatch.store.onWork((what) => void announced.push(what))
  })
  afterEach(() => dispatch.stop())

  /** Claims the task, and presents it in one transaction with its patient. */
  async function presents(andThen: () => void) {
    const at = new Date(dispatch.clock.now())
    const [task] = await claim(dispatch.store, at, new Date(at.getTime() + LEASE_MS), 1)
    await dispatch.store.ingestion.together(async (inside: Inside) => {
      const match = await inside.resolvePatient(task!, matchPatient, at)
      if (match.outcome !== 'known') throw new Error('The patient is new.')
      await inside.present(
        task!,
        {
          patientId: match.patientId,
          routedTo: 1,
          routedBy: 'primary' as const,
          fields: [],
          signatureRule: 'atEnd',
        },
        (state, documentId) => transition(state, 'present', { at, eventId: `event-${at.getTime()}`, documentId }),
        at,
      )
      andThen()
    })
  }

  it('is announced once, after the commit of all that belongs to it', async () => {
    await presents(() => expect(announced).to.deep.equal([]))
    expect(announced).to.deep.equal(['event'])
  })

  it('is not announced when its transaction is taken back; all of it can be done again', async () => {
    const cutOff = () => {
      throw new Error('cut off')
    }
    expect(await presents(cutOff).catch(({ message }: Error) => message)).to.equal('cut off')
    expect(announced).to.deep.equal([])
    dispatch.clock.advance(LEASE_MS)
    await presents(() => {})
    expect(announced).to.deep.equal(['event'])
  })
})

const LEASE_MS = 60_000
