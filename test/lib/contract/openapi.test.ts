/** The OpenAPI document is valid and complete. */
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect } from 'chai'
import { openapi } from '../../../lib/contract/openapi/openapi.ts'
import { bodyResponses, type Operation, operations } from '../../../lib/contract/operations.ts'

type Json = Record<string, unknown>

describe('the OpenAPI document', () => {
  const document = openapi({ version: '1.2.3', serverUrl: 'https://sign.example.org' }) as unknown as Json

  it('is valid in the eyes of a public validator', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(structuredClone(document))
    expect(errors ?? []).to.deep.equal([])
    expect([valid, validator.version]).to.deep.equal([true, '3.1'])
  })

  it('would not be, if it were broken', async () => {
    const broken = structuredClone(document) as { paths: Record<string, Json> }
    broken.paths['/api/v1/documenttypes'] = { get: { responses: 'none' } }
    expect((await new Validator().validate(broken as never)).valid).to.equal(false)
  })

  it('has a path and method for each operation and no other', () => {
    const described = Object.entries(document.paths as Record<string, Json>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    )
    const wanted = (Object.values(operations) as Operation[]).map(
      ({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`,
    )
    expect(described.sort()).to.deep.equal(wanted.sort())
  })

  it('says what each call with a body can answer because of the body, and of no other', () => {
    const paths = document.paths as Record<string, Record<string, { requestBody?: unknown; responses: Json }>>
    // Any call can find that the store does not answer.
    const ofBodies = Object.keys(bodyResponses).filter((status) => status !== '503')
    for (const [path, methods] of Object.entries(paths))
      for (const [method, { requestBody, responses }] of Object.entries(methods)) {
        const told = ofBodies.filter((status) => status in responses)
        expect(told, `${method} ${path}`).to.deep.equal(requestBody ? ofBodies : [])
        expect(responses, `${method} ${path}`).to.have.property('503')
        for (const answer of Object.values(responses))
          expect(answer).to.have.property('description').that.is.a('string')
      }
    expect(ofBodies).to.deep.equal(['408', '413', '415'])
  })

  it('points at nothing that is not there', () => {
    const text = JSON.stringify(document)
    const names = Object.keys((document.components as { schemas: Json }).schemas)
    const pointed = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, to]) => to!)
    expect(pointed.length).to.be.greaterThan(50)
    for (const to of new Set(pointed)) expect(names.map((name) => `#/components/schemas/${name}`)).to.include(to)
    expect(text).not.to.contain('$defs')
  })

  it('asks for the key everywhere but at the health check', () => {
    const paths = document.paths as Record<string, Record<string, { security?: unknown[] }>>
    expect(document.security).to.deep.equal([{ apiKey: [] }])
    expect(paths['/health-check']?.get?.security).to.deep.equal([])
    const others = Object.entries(paths).filter(([path]) => path !== '/health-check')
    for (const [path, methods] of others)
      for (const operation of Object.values(methods)) expect(operation.security, path).to.equal(undefined)
  })
})
