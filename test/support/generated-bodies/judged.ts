/** spec: Errors. As a property: a valid body is 201; with one thing broken it is 400 and the error names that path; never 5xx. */
import { expect } from 'chai'
import * as fc from 'fast-check'
import type { CreateTask } from '../../../lib/contract/task/task.ts'
import { changed } from '../changed.ts'
import { aService, type TestService } from '../service/a-service.ts'
import { anyText, brokenBody, validBody } from './bodies.ts'

export interface HowMany {
  valid: number
  broken: number
  anything: number
}

const AT_ONCE = 8

/** FC_SEED chooses the bodies. */
export function generatedBodiesAreJudged({ valid, broken, anything }: HowMany): void {
  let service: TestService
  before(async () => {
    service = await aService()
  })
  after(() => service.stop())

  const seed = Number(process.env.FC_SEED ?? Date.now() % 2 ** 31)
  const create = (sent: unknown) => service.ask('POST', '/api/v1/signature/tasks', { body: sent })

  it(`${valid} valid bodies are 201 (seed ${seed})`, async () => {
    await each(fc.sample(validBody, { numRuns: valid, seed }), async (sent) => {
      const answer = await create(sent)
      expect(answer.status, `${answer.text}\n${JSON.stringify(withoutPdf(sent))}`).to.equal(201)
    })
  })

  it(`${broken} bodies with one thing broken are 400 with an error that names its path (seed ${seed})`, async () => {
    await each(fc.sample(brokenBody, { numRuns: broken, seed }), async ([body, path, value]) => {
      const answer = await create(changed(body, path, value))
      const shown = `${path} = ${JSON.stringify(value)?.slice(0, 40)}: ${answer.text}`
      expect(answer.status, shown).to.equal(400)
      expect(answer.errors.some(names(path)), shown).to.equal(true)
    })
  })

  it(`${anything} bodies that are anything at all are 400 or 415, never 5xx (seed ${seed})`, async () => {
    await each(fc.sample(anyText, { numRuns: anything, seed }), async (raw) => {
      const headers = { 'content-type': 'application/json' }
      const answer = await service.ask('POST', '/api/v1/signature/tasks', { raw, headers })
      expect(answer.status, `${raw.slice(0, 80)}: ${answer.text}`).to.equal(400)
    })
  })
}

/** Several requests under way at once, as senders make them. */
async function each<T>(values: readonly T[], check: (value: T) => Promise<void>): Promise<void> {
  const rest = values.values()
  const worker = async () => {
    for (const value of rest) await check(value)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

/** An error at the place, within it, or about an object that is there instead: all name the path. */
const names = (path: string) => (error: string) => error.startsWith(path) && /^[.[\]:]/.test(error.slice(path.length))

const withoutPdf = (sent: CreateTask) => ({ ...sent, document: { ...sent.document, attachment: '…' } })
