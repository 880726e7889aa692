/** Whatever `/docs` fills in works in a sandbox: each operation of the served OpenAPI document is executed as it is filled in there. */
import { expect } from 'chai'
import { aService, type TestService } from '../../support/service/a-service.ts'

interface Filled {
  operationId: string
  parameters?: { name: string; in: string; required?: boolean; example?: unknown }[]
  requestBody?: { content: Record<string, { example?: unknown }> }
}

describe('The examples of a sandbox’s OpenAPI document', function () {
  this.timeout(60_000)
  let service: TestService
  before(async () => {
    service = await aService()
  })
  after(() => service.stop())

  const described = async () => {
    const document = (await (await fetch(`${service.baseUrl}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, Filled>>
    }
    return Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
    )
  }

  /** As Swagger UI sends what it has filled in: path and required parameters, and every optional one as well. */
  async function executed(operationId: string) {
    const {
      path,
      method,
      parameters = [],
      requestBody,
    } = (await described()).find((operation) => operation.operationId === operationId)!
    const query = new URLSearchParams()
    let filled = path
    for (const { name, in: place, example } of parameters) {
      if (place === 'path') filled = filled.replace(`{${name}}`, String(example))
      else if (place === 'query' && example !== undefined) query.set(name, String(example))
    }
    const body = requestBody && Object.values(requestBody.content)[0]!.example
    return service.ask<{ taskId?: number }>(method.toUpperCase(), `${filled}?${query}`, {
      ...(body !== undefined && { body }),
    })
  }

  it('work, each of them', async () => {
    const answers: Record<string, number> = {}
    const execute = async (operationId: string) => {
      const answer = await executed(operationId)
      answers[operationId] = answer.status
      return answer
    }
    const first = await execute('createTask')
    await service.reaches(first.body.taskId!, 'Pending')
    await service.signs(first.body.taskId!)
    await service.reaches(first.body.taskId!, 'Completed')
    const second = await execute('createTask')
    await service.reaches(second.body.taskId!, 'Pending')
    await execute('createSubscription')
    const all = (await described()).map(({ operationId }) => operationId)
    for (const operationId of all.filter((name) => !/^create/.test(name))) await execute(operationId)
    expect(Object.keys(answers).sort()).to.deep.equal(all.sort())
    for (const [operationId, status] of Object.entries(answers)) expect(status, operationId).to.be.within(200, 299)
  })
})
