/** The OpenAPI document: valid for a public validator, the same as what is mounted, and its examples keep their own schemas. */
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect } from 'chai'
import * as z from 'zod'
import { docs } from '../../../lib/contract/docs.ts'
import { openapi } from '../../../lib/contract/openapi.ts'
import { type Operation, operations } from '../../../lib/contract/operations.ts'
import { aService } from '../../support/a-service.ts'

interface Described {
  responses: Record<string, { content?: Record<string, { example?: unknown }> }>
  requestBody?: { content: Record<string, { example?: unknown }> }
  parameters?: { name: string; example?: unknown }[]
}
const document = openapi({ version: '1.2.3', serverUrl: 'https://sandbox.example.org' })
const paths = document.paths as Record<string, Record<string, Described>>
const rows = Object.entries(operations as Record<string, Operation>)
const named = Object.entries(
  z.toJSONSchema(docs, { io: 'input', unrepresentable: 'any' }).schemas as Record<string, object>,
).map(([id]) => id)

describe('The OpenAPI document', () => {
  it('is valid OpenAPI 3.1 for a public validator', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(structuredClone(document) as Record<string, unknown>)
    expect(errors ?? [], JSON.stringify(errors)).to.deep.equal([])
    expect(valid).to.equal(true)
    expect(validator.version).to.equal('3.1')
  })

  it('has every row of the table, and no other', () => {
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    )
    const wanted = rows.map(([, { method, path }]) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
    expect(described.sort()).to.deep.equal(wanted.sort())
  })

  it('resolves every reference', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
      ([, id]) => id!,
    )
    expect(new Set(references).size).to.be.greaterThan(10)
    for (const id of references) expect(document.components.schemas).to.have.property(id)
    expect(JSON.stringify(document)).not.to.match(/"\$(schema|id|defs)"/)
  })

  for (const [name, row] of rows)
    it(`${name}: has an example for its body, its parameters and each answer that has a body`, () => {
      const operation = paths[row.path.replace(/:(\w+)/g, '{$1}')]![row.method]!
      const parts = [operation.requestBody, ...Object.values(operation.responses)]
      for (const content of parts.flatMap((part) => part?.content?.['application/json'] ?? []))
        expect(content, JSON.stringify(content)).to.have.property('example')
      for (const parameter of operation.parameters ?? []) expect(parameter, parameter.name).to.have.property('example')
    })

  for (const id of named)
    it(`the examples of ${id} keep its schema`, () => {
      const [schema, doc] = [...schemaDocs()].find(([, { id: given }]) => given === id)!
      for (const example of doc.examples)
        expect(schema.safeParse(example).error, JSON.stringify(example)).to.equal(undefined)
    })

  it('says the same going in and coming out', () => {
    const render = (io: 'input' | 'output') => z.toJSONSchema(docs, { io, unrepresentable: 'any' }).schemas
    // Coming out, unknown fields are gone, which `additionalProperties: false` says.
    const withoutClosing = (schemas: unknown) => JSON.stringify(schemas).replaceAll(',"additionalProperties":false', '')
    expect(withoutClosing(render('output'))).to.equal(withoutClosing(render('input')))
  })

  it('is what the service serves at /openapi.json, without a key', async () => {
    const service = await aService()
    try {
      const { status, body } = await service.ask<typeof document>('GET', '/openapi.json', { key: null })
      expect(status).to.equal(200)
      expect(body.paths).to.deep.equal(JSON.parse(JSON.stringify(document.paths)))
    } finally {
      await service.stop()
    }
  })

  function* schemaDocs() {
    const { _map } = docs as unknown as { _map: Map<z.ZodType, { id?: string; examples: readonly unknown[] }> }
    yield* _map
  }
})
