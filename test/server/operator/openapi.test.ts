/** The operator's interface is described as it is: a valid OpenAPI document with every row and nothing of the partners' own. */
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect } from 'chai'
import { operatorOpenapi } from '../../../server/operations/operator/openapi.ts'
import { operator } from '../../../server/operations/operator/table.ts'
import { aService } from '../../support/service/a-service.ts'

type Json = Record<string, unknown>

describe("the OpenAPI document of the operator's interface", () => {
  const document = operatorOpenapi({ version: '1.2.3' }) as unknown as Json
  const paths = document.paths as Record<string, Record<string, Json>>

  it('is valid to a public validator', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(structuredClone(document))
    expect(errors ?? []).to.deep.equal([])
    expect([valid, validator.version]).to.deep.equal([true, '3.1'])
  })

  it('has the path and method of each row, and no others', () => {
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    )
    const wanted = Object.values(operator).map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
    expect(described.sort()).to.deep.equal(wanted.sort())
  })

  it('describes every parameter', () => {
    const all = Object.values(paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ operationId, parameters }) =>
        (parameters as { name: string; description?: string }[]).map((one) => ({ operationId, ...one })),
      ),
    )
    expect(all.length).to.be.greaterThan(20)
    expect(all.filter(({ description }) => !description)).to.deep.equal([])
  })

  it('has every schema that it refers to, and no other', () => {
    const text = JSON.stringify(document)
    const pointed = new Set([...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, to]) => to!))
    expect([...pointed].sort()).to.deep.equal(Object.keys((document.components as { schemas: Json }).schemas).sort())
    expect(text).not.to.contain('$defs')
  })

  it('says of every operation who may call it, in words and for programs', () => {
    const callersOf = (path: string, method: string) => {
      const { description, 'x-callers': callers } = paths[path]![method]!
      return { description, callers }
    }
    expect(callersOf('/admin/v1/tasks', 'get')).to.deep.equal({
      description: `May be called by:

- an operator who is signed in, or a key for all organizations
- an administrator who is signed in, or a key for one organization; either reaches only that organization`,
      callers: { sessions: ['operator', 'administrator'], keys: ['all-organizations', 'one-organization'] },
    })
    expect(callersOf('/admin/v1/organizations', 'post')).to.deep.equal({
      description: 'May be called by:\n\n- an operator who is signed in, or a key for all organizations',
      callers: { sessions: ['operator'], keys: ['all-organizations'] },
    })
    for (const { method, path, who } of Object.values(operator)) {
      const { callers } = callersOf(path.replace(/:(\w+)/g, '{$1}'), method)
      expect((callers as { sessions: unknown }).sessions, `${method} ${path}`).to.deep.equal(who)
    }
  })

  it('is served beside the one for partners', async () => {
    const service = await aService()
    try {
      const { status, body } = await service.ask<Json>('GET', '/admin/v1/openapi.json', { key: null })
      expect(status).to.equal(200)
      expect(body.paths).to.deep.equal(JSON.parse(JSON.stringify(paths)))
      const partners = await service.ask<{ paths: Json; components: { schemas: Json } }>('GET', '/openapi.json')
      expect(JSON.stringify(partners.body)).not.to.contain('/admin/v1')
      expect(partners.body.components.schemas).not.to.have.property('Organization')
    } finally {
      await service.stop()
    }
  })
})
