/** What is done with every row: reading, refusing, and letting out no more than is named. */
import { expect } from 'chai'
import * as z from 'zod'
import { ErrorBody } from '../../../lib/contract/error.ts'
import { pathId } from '../../../lib/contract/primitives.ts'
import { Refusal } from '../../../server/domain/refusal.ts'
import { perform, read, successOf } from '../../../server/operations/perform.ts'
import { rowsFor } from '../../../server/operations/row.ts'

interface Context {
  examined: unknown[]
}

const row = rowsFor<Context>()({
  method: 'patch',
  path: '/things/:id',
  group: 'Things',
  summary: 'Change a thing',
  who: ['operator'],
  params: z.object({ id: pathId() }),
  query: z.strictObject({ dryRun: z.string().optional() }),
  body: z.object({ name: z.string('text'), size: z.int('a whole number') }),
  responses: { 200: z.object({ id: z.int(), name: z.string() }), 404: ErrorBody },
  run: async (_context, { params: { id }, body: { name } }) => ({ id, name, secret: 'never shown' }),
  async examine({ examined }, body) {
    examined.push(body)
    return ['name: taken']
  },
})

const params = { id: '7' }
const refusal = async (work: Promise<unknown>): Promise<Refusal> => {
  const failure: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(failure instanceof Refusal)) throw new Error('Nothing was refused.')
  return failure
}

describe('performing a row', () => {
  it('gives what the schemas have read, and lets out what the answer names', async () => {
    const context: Context = { examined: [] }
    const body = { name: 'Chair', size: 2, colour: 'red' }
    expect(await perform(row, context, { params, body })).to.deep.equal({ id: 7, name: 'Chair' })
    expect(context.examined, 'a body of the right shape is left to the row').to.deep.equal([])
  })

  it('refuses with all that is wrong in path, query and body, and with what the row itself finds', async () => {
    const context: Context = { examined: [] }
    const sent = { params: { id: '1e3' }, query: { sort: 'up' }, body: { name: 5 } }
    const { kind, errors } = await refusal(perform(row, context, sent))
    expect(kind).to.equal('invalid')
    expect(errors).to.deep.equal([
      'id: a whole number from 1 to 2147483647',
      'sort: unknown parameter; allowed: dryRun',
      'name: text',
      'size: a whole number',
      'name: taken',
    ])
    expect(context.examined).to.deep.equal([sent.body])
  })

  it('takes no parameter where the row has none, unless anybody may call it', async () => {
    const { query, body, examine, ...bare } = row
    const sent = { params, query: { sort: 'up' } }
    const { errors } = await refusal(read<Context>(bare, { examined: [] }, sent, ['body: not read']))
    expect(errors).to.deep.equal(['sort: unknown parameter; allowed: none', 'body: not read'])
    const open = await read<Context>({ ...bare, public: true }, { examined: [] }, sent)
    expect(open).to.deep.equal({ params: { id: 7 }, query: undefined, body: undefined })
  })

  it('answers with the first status of success that the row declares', () => {
    expect(successOf({ responses: { 404: ErrorBody, 204: null } })).to.deep.equal([204, null])
    expect(successOf({ responses: { 200: 'pdf', 404: ErrorBody } })).to.deep.equal([200, 'pdf'])
  })
})
