/** Rules of a create body as a table: what is put where, and the error it must cause. */
import { expect } from 'chai'
import type { CreateTask } from '../../lib/contract/task/task.ts'
import { changed } from './changed.ts'
import { aCreateBody } from './service/a-create-body.ts'
import type { TestService } from './service/a-service.ts'

/** `rule` quotes the specification; `value` undefined takes the field away; `error` is the whole sentence, or how it begins. */
export interface Refused {
  rule: string
  path: string
  value?: unknown
  error: string
  body?: CreateTask
}

const TASKS = '/api/v1/signature/tasks'

/** One test for each row: 400, and exactly this one error. */
export function refuses(service: () => TestService, rows: readonly Refused[]): void {
  for (const { rule, path, value, error, body = aCreateBody() } of rows)
    it(`${rule} → ${error}`, async () => {
      const answer = await service().ask('POST', TASKS, { body: changed(body, path, value) })
      expect(answer.status, answer.text).to.equal(400)
      expect(answer.errors).to.have.length(1)
      expect(answer.errors[0]).to.satisfy((text: string) => text.startsWith(error), answer.text)
    })
}

export interface Accepted {
  rule: string
  path: string
  value?: unknown
  body?: CreateTask
}

/** One test for each row: 201. */
export function accepts(service: () => TestService, rows: readonly Accepted[]): void {
  for (const { rule, path, value, body = aCreateBody() } of rows)
    it(rule, async () => {
      const answer = await service().ask('POST', TASKS, { body: changed(body, path, value) })
      expect(answer.status, answer.text).to.equal(201)
    })
}
