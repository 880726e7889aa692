/** Learns how a host speaks from exchanges with it, step by step: each step speaks by what was learnt before. */
import { parseProfile } from '../../profile/parse-profile.ts'
import { DOCUMENT_TYPES, type Host } from '../host.ts'
import type { Stage } from '../stage/stage.ts'
import { NotTried } from '../verdict.ts'
import { learnKeyHeader, learnRefusals } from './access.ts'
import { type Learnt, profileFrom, seen, untold } from './learnt.ts'
import { learnLimits } from './limits.ts'
import { learnEnvelope, learnFilters } from './list-habits.ts'
import { learnPaging } from './paging.ts'
import { learnOrigin, learnTokens } from './placement.ts'
import { readCallback } from './read-callback.ts'

/**
 * Leaves the profile that it learnt with the host.
 * @param name what people call the host; its words are tried in the names of headers and tokens
 */
export async function learn(host: Host, stage: Stage, name: string | undefined): Promise<Learnt[]> {
  const learnt: Learnt[] = []
  const { basePath } = host.profile
  const known = host.profile
  const step = async (what: string, take: () => Promise<Learnt | Learnt[]>) => {
    learnt.push(...[await take().catch((failure: unknown) => notLearnt(what, failure))].flat())
    host.profile = parseProfile(merged(known, profileFrom(learnt)))
  }
  const brands = name === undefined ? [] : [name.replace(/[^A-Za-z0-9]+/g, '')]
  if (name !== undefined) learnt.push(seen('name', name, 'as it was given'))
  if (basePath !== '') learnt.push(seen('basePath', basePath, 'the path of the URL'))

  await step('apiKeyHeader', () => learnKeyHeader(host, brands))
  await step('list.envelope', async () => learnEnvelope((await host.get(DOCUMENT_TYPES)).body))
  await step('refusals', () => learnRefusals(host))
  await step('coordinates.origin', () => learnOrigin(host, stage))
  await step('webhook', async () => {
    const { secret } = (await stage.subscriptions()).active
    await stage.pending()
    return readCallback(await stage.anyCallback(), secret, host.profile)
  })
  await step('tokenPrefix', () => learnTokens(host, stage, wordsOf(brands, host.profile.headerPrefix)))
  await step('limits', () => learnLimits(host, stage))
  await step('list.filters', () => learnFilters(host, `CONFORM-${stage.newId()}`))
  await step('list.paging', () => learnPaging(host))
  learnt.push(untold('webhook.toleranceSeconds', 'it is the choice of the receiver'))
  return learnt
}

/** The likeliest words of tokens: that of the brand, that of the headers, the neutral one. Pure. */
export function wordsOf(brands: readonly string[], headerPrefix: string): string[] {
  const [, ofHeaders = ''] = /^X-(\w+)-$/i.exec(headerPrefix) ?? []
  const isNeutral = /^service$/i.test(ofHeaders)
  const words = [...brands, ...(isNeutral ? [] : [ofHeaders]), 'SVC'].map((word) => word.toUpperCase())
  return [...new Set(words.filter(Boolean))]
}

function notLearnt(path: string, failure: unknown): Learnt[] {
  if (!(failure instanceof NotTried)) throw failure
  return [untold(path, failure.message)]
}

/** The second over the first, group by group. */
const merged = (under: object, over: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(under).map(([name, value]) => {
      const other = over[name]
      const isGroup = typeof value === 'object' && value !== null && other !== undefined
      return [name, isGroup ? { ...value, ...(other as object) } : (other ?? value)]
    }),
  )
