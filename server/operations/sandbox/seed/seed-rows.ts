/** Reads the seed of a sandbox, and puts another in its place. */
import * as z from 'zod'
import { ErrorBody } from '../../../../lib/contract/error.ts'
import { everythingAgain } from '../reset.ts'
import { sandboxRow } from '../sandbox-context.ts'
import { Seed } from './seed.ts'

const about = { path: '/sandbox/v1/seed', group: 'Reset', who: ['sender'] } as const

export const readSeed = sandboxRow({
  ...about,
  method: 'get',
  summary: 'Read the seed to which a reset of everything returns; null where the sandbox has none',
  responses: { 200: z.looseObject({}).nullable() },
  async run({ store }) {
    const seed = await store.keptSeed<Seed>()
    return seed && { ...seed }
  },
})

export const readSeedSchema = sandboxRow({
  ...about,
  method: 'get',
  path: '/sandbox/v1/seed/schema',
  summary: 'Read the JSON Schema of a seed, for editors',
  responses: { 200: z.looseObject({}) },
  run: async () => ({ ...z.toJSONSchema(Seed, { io: 'input', unrepresentable: 'any' }) }),
})

export const replaceSeed = sandboxRow({
  ...about,
  method: 'post',
  summary:
    'Reset everything to another seed. Organizations of the same name keep their keys; keys of the others are in the answer, once',
  body: Seed,
  responses: { 201: z.array(z.object({ organization: z.string(), key: z.string() })), 409: ErrorBody },
  run: (context, { body }) => everythingAgain(context, body),
})
