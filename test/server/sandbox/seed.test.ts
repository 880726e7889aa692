/** The demo's organizations and people in a new store. */
import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { demoSeed } from '../../../server/demo/seed.ts'
import { createKeyring } from '../../../server/keys/keyring.ts'
import { applySeed } from '../../../server/operations/sandbox/seed/apply-seed.ts'
import { type Directory, openStore, type Store } from '../../../server/store/store.ts'

const AT = new Date('2026-02-03T09:00:00Z')
type Issuing = Parameters<typeof applySeed>[1]
const seedIn = (store: Store, keyringFor: (inside: Directory) => Issuing) =>
  store.atOnce((inside) => applySeed(inside, keyringFor(inside), demoSeed, AT))
const keyringOf = (store: Directory) => createKeyring(store, 'test', randomBytes)

describe('The demo data', () => {
  let store: Store
  beforeEach(async () => {
    store = await openStore(':memory:', randomBytes(32))
  })
  afterEach(() => store.close())

  it('are there as a whole or not at all, so that a start that was cut short is made up for by the next', async () => {
    let left = 2
    const failing = (inside: Directory) => ({
      ...keyringOf(inside),
      issue: (...of: Parameters<ReturnType<typeof keyringOf>['issue']>) => {
        left -= 1
        return left === 0 ? Promise.reject(new Error('cut short')) : keyringOf(inside).issue(...of)
      },
    })
    const reason = await seedIn(store, failing).catch(({ message }: Error) => message)
    expect(reason).to.equal('cut short')
    expect(await store.documentTypes.list()).to.deep.equal([])

    const [made = { key: '' }, ...others] = await seedIn(store, keyringOf)
    expect(others).to.have.length(1)
    const { organizationId } = await createKeyring(store, 'test', randomBytes).callerOf(made.key, AT)
    expect(await store.organizations.find(organizationId)).to.include({ name: 'Willow Creek Home Health' })
    expect(await store.keptSeed()).to.deep.equal(JSON.parse(JSON.stringify(demoSeed)))
  })
})
