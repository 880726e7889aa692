/** Every field of the interface is documented with examples that hold. */
import { expect } from 'chai'
import * as z from 'zod'
import { docs } from '../../../lib/contract/docs.ts'
import { allSchemas, bare } from './schemas.ts'

describe('the documentation of the contract', () => {
  const fields = allSchemas().filter(({ isField }) => isField)

  it('covers every field of every operation', () => {
    expect(fields.length).to.be.greaterThan(150)
    const bad = fields.filter(({ schema }) => {
      const doc = docs.get(schema) ?? docs.get(bare(schema))
      return !doc || doc.title.trim() === '' || doc.description.trim() === '' || doc.examples.length === 0
    })
    expect(bad.map(({ at }) => at)).to.deep.equal([])
  })

  it('covers every schema that stands under a name', () => {
    const names = new Map<string, z.ZodType>()
    for (const { at, schema } of allSchemas()) {
      const id = docs.get(bare(schema))?.id
      if (!id) continue
      expect(names.get(id) ?? bare(schema), `${at}: two schemas are named ${id}`).to.equal(bare(schema))
      names.set(id, bare(schema))
    }
    expect([...names.keys()]).to.include.members(['CreateTask', 'Task', 'StatusEvent', 'Subscription', 'ErrorBody'])
  })

  it('gives examples that their own schemas accept', () => {
    const bad = allSchemas().flatMap(({ at, schema }) =>
      (docs.get(schema)?.examples ?? [])
        // What travels in a URL is text: its schema reads text, its example shows the value.
        .map((example) => (/\.(params|query)\./.test(at) ? String(example) : example))
        .filter((example) => !schema.safeParse(example).success)
        .map((example) => `${at}: ${JSON.stringify(example)}`),
    )
    expect(bad).to.deep.equal([])
  })

  it('renders a named schema the same going in and coming out', () => {
    const rendered = (io: 'input' | 'output') =>
      z.toJSONSchema(docs, { io, uri: (id) => `#/${id}`, metadata: docs, unrepresentable: 'any' }).schemas
    const [input, output] = [rendered('input'), rendered('output')]
    expect(Object.keys(input).length).to.be.greaterThan(20)
    // Zod closes objects when it renders what comes out, because it drops unknown keys; the fields must be the same.
    const open = (schemas: object) =>
      JSON.parse(JSON.stringify(schemas).replaceAll(',"additionalProperties":false', ''))
    for (const id of Object.keys(input)) expect(open(output[id]!), id).to.deep.equal(open(input[id]!))
  })
})
