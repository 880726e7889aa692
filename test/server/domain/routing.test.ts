/** spec: Resources › Routing order */
import { expect } from 'chai'
import { route } from '../../../server/domain/task/routing.ts'

const address = (line: string, postalCode: string) => ({ line, city: 'Duluth', state: 'MN', postalCode })
const family = { id: 1, npi: '9999901017', addresses: [address('100 Shore Lane', '55802')] }
const wound = {
  id: 2,
  npi: '9999901025',
  addresses: [address('9 Old Road', '55802'), address('12 Quarry Road', '55802')],
}
const unnumbered = { id: 3, npi: null, addresses: [] }
const all = [family, wound, unnumbered]

describe('Routing', () => {
  for (const [rule, wanted, expected] of [
    ['nothing is wanted: the primary organization', undefined, { organizationId: 1, by: 'primary' }],
    ['null stands for absent', null, { organizationId: 1, by: 'primary' }],
    ['an empty request: the primary organization', {}, { organizationId: 1, by: 'primary' }],
    ['the NPI of an active organization', { orgNPI: '9999901025' }, { organizationId: 2, by: 'orgNPI' }],
    [
      'the NPI comes before the address',
      { orgNPI: '9999901017', addresses: [address('12 Quarry Road', '55802')] },
      { organizationId: 1, by: 'orgNPI' },
    ],
    [
      'an unknown NPI: the address, any of those sent against any of those known',
      { orgNPI: '9999909999', addresses: [address('1 No Way', '55802'), address('12 Quarry Road', '55802')] },
      { organizationId: 2, by: 'address' },
    ],
    [
      'case, spacing and ZIP+4 do not matter, nor do city and state (choice: Matching an address)',
      { addresses: [{ line: ' 12  QUARRY road ', city: 'Elsewhere', state: 'WI', postalCode: '55802-1234' }] },
      { organizationId: 2, by: 'address' },
    ],
    [
      'another ZIP is another place',
      { addresses: [address('12 Quarry Road', '55803')] },
      { organizationId: 1, by: 'primary' },
    ],
    ['a ZIP alone is no place', { addresses: [{ postalCode: '55802' }] }, { organizationId: 1, by: 'primary' }],
    ['a name does not route', { name: 'Lakeside Wound Clinic' }, { organizationId: 1, by: 'primary' }],
  ] as const)
    it(rule, () => {
      expect(route(wanted as Parameters<typeof route>[0], all)).to.deep.equal(expected)
    })

  it('an organization without an NPI is not matched by the absence of one', () => {
    expect(route({ orgNPI: null }, [unnumbered, family])).to.deep.equal({ organizationId: 3, by: 'primary' })
    expect(route({ orgNPI: '9999901017' }, [unnumbered, family])).to.deep.equal({ organizationId: 1, by: 'orgNPI' })
  })

  it('a place needs a street and a postal code, also on both sides', () => {
    const partial = {
      id: 4,
      npi: null,
      addresses: [{ postalCode: '55802' }, { line: '1 Bay Road' }, {}] as never[],
    }
    for (const sent of [{ postalCode: '55802' }, { line: '1 Bay Road' }, {}, { line: ' ', postalCode: ' ' }])
      expect(route({ addresses: [sent as never] }, [family, partial])).to.deep.equal({
        organizationId: 1,
        by: 'primary',
      })
    expect(route({ orgNPI: ' 9999901025 ' }, all)).to.deep.equal({ organizationId: 2, by: 'orgNPI' })
    const padded = [{ line: '12 Quarry Road', postalCode: ' 55802' }]
    expect(route({ addresses: padded as never }, all)).to.deep.equal({ organizationId: 2, by: 'address' })
  })

  it('a provider without an active organization receives nothing', () => {
    expect(route({ orgNPI: '9999901017' }, [])).to.equal(null)
  })
})
