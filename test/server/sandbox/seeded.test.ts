/** A sandbox with a seed of its own: at its start, by HTTP, and with the command, and as it is again after a reset. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { SeedInput } from '../../../server/operations/sandbox/seed/seed.ts'
import { aFolder } from '../../support/a-folder.ts'
import { called } from '../../support/commands/called.ts'
import { aCreateBody } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'

const seed: SeedInput = {
  documentTypes: [{ id: 104, name: 'Physician Order', category: 'Order' }],
  organizations: [
    { name: 'Hill Practice', npi: '9999902015', addresses: [{ postalCode: '55802' }] },
    {
      name: 'River Home Health',
      sends: true,
      keyOwner: 'Jo Park',
      templates: [
        {
          summary: 'Verbal order',
          clinicalDateLabel: 'Order date',
          diagnosisCode: 'none',
          fields: [
            { type: 'VisibleSignature', page: 1, required: true, box: { left: 72, top: 690, right: 272, bottom: 726 } },
          ],
        },
      ],
    },
  ],
  signers: [
    { npi: '9999900019', firstName: 'Kim', lastName: 'Hill', signingName: 'Kim Hill MD', practices: ['Hill Practice'] },
  ],
  people: [{ email: 'desk@example.com', name: 'Desk', role: 'operator' }],
  orders: [
    {
      sender: 'River Home Health',
      times: 2,
      patient: 'umlaut',
      document: 'order',
      placement: 'coordinates',
      signer: '9999900019',
    },
  ],
}

function aFile(content: unknown): string {
  const path = join(aFolder(), 'seed.json')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

const idsOf = async ({ client }: TestService) => (await client.listTasks()).map(({ taskId }) => taskId).sort()

describe('a sandbox with a seed of its own', () => {
  let service: TestService
  before(async () => {
    service = await aService({ seed })
  })
  after(() => service.stop())

  it('has its organizations, templates, signers and orders, and a key for who sends', async () => {
    expect(service.service.apiKeys.map(({ organization }) => organization)).to.deep.equal(['River Home Health'])
    expect(await idsOf(service)).to.deep.equal([1001, 1002])
    expect((await service.client.listTemplates()).map(({ summary }) => summary)).to.deep.equal(['Verbal order'])
    const { body } = await service.ask<{ orders: unknown[] }>('GET', '/sandbox/v1/seed')
    expect(body.orders).to.have.length(1)
  })

  it('returns to it with the command, orders included', async () => {
    await service.client.createTask({ body: aCreateBody() }).catch(() => {})
    await service.ask('POST', '/sandbox/v1/orders', { body: { ...seed.orders![0], sender: undefined, times: 1 } })
    const environment = { COUNTERSIGN_KEY: service.key }
    const { code, stdout } = await called(['sandbox', 'reset', '--everything', '--url', service.baseUrl], environment)
    expect([code, stdout.trim()]).to.deep.equal([0, '{"reset":"everything"}'])
    expect(await idsOf(service)).to.deep.equal([1001, 1002])
  })

  it('keeps and brings back what a sender did with the command', async () => {
    const environment = { COUNTERSIGN_KEY: service.key }
    const at = ['--url', service.baseUrl]
    const taken = await called(['sandbox', 'snapshot', 'before', ...at], environment)
    expect(JSON.parse(taken.stdout)).to.include({ name: 'before', tasks: 2 })
    expect((await called(['sandbox', 'reset', ...at], environment)).code).to.equal(0)
    expect(await idsOf(service)).to.deep.equal([])
    expect((await called(['sandbox', 'restore', 'before', ...at], environment)).code).to.equal(0)
    expect(await idsOf(service)).to.deep.equal([1001, 1002])
    const wrong = await called(['sandbox', 'restore', 'never', ...at], environment)
    expect([wrong.code, wrong.stderr.includes('There is no snapshot')], wrong.stderr).to.deep.equal([2, true])
  })

  it('takes another seed from a file: who stays keeps its key, and who comes gets one', async () => {
    const other = {
      ...seed,
      orders: [],
      organizations: [...seed.organizations!, { name: 'Lake Hospice', sends: true }],
    }
    const environment = { COUNTERSIGN_KEY: service.key }
    const { stdout } = await called(['sandbox', 'seed', aFile(other), '--url', service.baseUrl], environment)
    const { apiKeys } = JSON.parse(stdout) as { apiKeys: { organization: string; key: string }[] }
    expect(apiKeys.map(({ organization }) => organization)).to.deep.equal(['Lake Hospice'])
    expect(await service.client.listTasks()).to.deep.equal([])
    expect(await service.clientOf(apiKeys[0]!.key).listTasks()).to.deep.equal([])
  })

  it('refuses a seed that contradicts itself, and changes nothing', async () => {
    const signers = [{ ...seed.signers![0]!, practices: ['Nowhere'] }]
    const answer = await service.ask('POST', '/sandbox/v1/seed', { body: { ...seed, signers } })
    expect([answer.status, answer.errors]).to.deep.equal([
      400,
      ['signers[0].practices[0]: an organization of this file'],
    ])
    const [first] = seed.organizations!
    const twice = await service.ask('POST', '/sandbox/v1/seed', { body: { ...seed, organizations: [first, first] } })
    expect(twice.errors).to.include('organizations[1].name: each organization once')
    expect(await service.client.listTemplates()).to.have.length(1)
  })

  for (const [what, content, says] of [
    ['no JSON', '{', '--seed: the file is not JSON'],
    ['a wrong member', { organisations: [] }, '--seed: an object with organizations'],
  ] as const)
    it(`does not start with a file that is ${what}`, async () => {
      const { code, stderr } = await called(['serve', '--sandbox', '--data', ':memory:', '--seed', aFile(content)])
      expect([code, stderr.includes(says)], stderr).to.deep.equal([2, true])
    })
})
