import { expect } from 'chai'
import { createPlaces, networkOf, type Tenant } from '../../../lib/hl7/mllp/places.ts'

const MINUTE = 60_000

describe('The places of a receiver', () => {
  const ended: string[] = []
  beforeEach(() => void ended.splice(0))

  const tenant = (name: string, address: string, silentSince: number | null, hasSent = false): Tenant => ({
    address,
    silentSince,
    hasSent,
    end: () => void ended.push(name),
  })
  const placesFor = (total: number, perAddress: number, tenants: Tenant[]) => {
    const places = createPlaces({ total, perAddress })
    for (const one of tenants) places.add(one)
    return places
  }

  it('are not all of one address', () => {
    const places = placesFor(10, 2, [tenant('a', '10.0.0.1', 0), tenant('b', '::ffff:10.0.0.1', 0)])
    expect(places.hasRoom('10.0.0.1', 1000)).to.equal(false)
    expect(places.hasRoom('10.0.0.2', 1000)).to.equal(true)
    expect(ended).to.deep.equal([])
  })

  it('are given up first by one who has sent nothing, and then by the one that has been silent longest', () => {
    const places = placesFor(3, 3, [
      tenant('old sender', '10.0.0.1', 0, true),
      tenant('older sender', '10.0.0.1', -1, true),
      tenant('silent', '10.0.0.2', MINUTE),
    ])
    for (const _ of [1, 2, 3]) {
      expect(places.hasRoom('10.0.0.3', 10 * MINUTE)).to.equal(true)
      places.add(tenant('new', '10.0.0.3', 10 * MINUTE))
    }
    expect(ended).to.deep.equal(['silent', 'older sender', 'old sender'])
    expect(places.hasRoom('10.0.0.4', 10 * MINUTE)).to.equal(false)
  })

  it('are not given up in the middle of a message, nor soon after one', () => {
    const places = placesFor(2, 2, [tenant('within', '10.0.0.1', null), tenant('sender', '10.0.0.1', 0, true)])
    expect(places.hasRoom('10.0.0.2', MINUTE)).to.equal(false)
    expect(ended).to.deep.equal([])
  })

  it('count a network of IPv6 as one address', () => {
    expect(networkOf('2001:db8:1:2:3:4:5:6')).to.equal(networkOf('2001:db8:1:2::9'))
    expect(networkOf('2001:db8:1:3::9')).to.not.equal(networkOf('2001:db8:1:2::9'))
    expect(networkOf('1:12::9')).to.not.equal(networkOf('11:2::9'))
    expect(networkOf('::1:2:3:4:5')).to.equal(networkOf('0:0:0:1::9'))
    expect(networkOf('::9')).to.not.equal(networkOf('1::9'))
    expect(networkOf('fe80::1%eth0')).to.equal(networkOf('fe80::2%eth0'))
    expect(networkOf('::ffff:10.0.0.1')).to.equal('10.0.0.1')
  })
})
