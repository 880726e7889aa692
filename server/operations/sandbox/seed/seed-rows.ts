/** Reads the seed of a sandbox, and puts another in its place. */
import * as z from 'zod'
import { ErrorBody } from '../../../../lib/contract/error.ts'
import { SeedCheck } from '../messages.ts'
import { everythingAgain, mayReset } from '../reset.ts'
import { sandboxRow } from '../sandbox-context.ts'
import { checkTemplates, keptBy } from './apply-seed.ts'
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

export const checkSeed = sandboxRow({
  ...about,
  method: 'post',
  path: '/sandbox/v1/seed/check',
  summary: 'Say whether a seed is right, and which organizations and signers it would remove; changes nothing',
  body: Seed,
  responses: { 200: SeedCheck, 409: ErrorBody },
  async run(context, { body }): Promise<SeedCheck> {
    const { store, hosted } = context
    await mayReset(context)
    checkTemplates(body)
    const kept = keptBy(body)
    const [organizations, signers] = await Promise.all([store.organizations.list(), store.providers.list()])
    const stays = new Set([...kept.organizations, ...hosted])
    return {
      organizations: organizations.filter(({ name }) => !stays.has(name)).map(({ name }) => name),
      signers: signers.filter(({ npi }) => !kept.signers.includes(npi)).map(({ signingName }) => signingName),
    }
  },
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
