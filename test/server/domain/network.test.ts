/** Under which name an address is counted: IPv4 each for itself, IPv6 by the /64 that one subscriber has. */
import { expect } from 'chai'
import { networkOf } from '../../../server/domain/network.ts'

describe('the network of an address', () => {
  it('is the address itself for IPv4, however it is written', () => {
    expect(networkOf('198.51.100.7')).to.equal('198.51.100.7')
    expect(networkOf('::ffff:198.51.100.7')).to.equal('198.51.100.7')
    expect(networkOf('::ffff:c633:6407')).to.equal('198.51.100.7')
    expect(networkOf('255.255.255.255')).to.equal('255.255.255.255')
  })

  it('is the same for all of a /64, and another for the next', () => {
    const all = ['2001:db8:0:7::', '2001:db8:0:7::1', '2001:DB8:0:7:ffff:ffff:ffff:ffff', '2001:0db8:0000:0007:1:2:3:4']
    expect(new Set(all.map(networkOf))).to.deep.equal(new Set(['2001:db8:0:7::/64']))
    expect(networkOf('2001:db8:0:8::1')).to.equal('2001:db8:0:8::/64')
    expect(networkOf('::1')).to.equal('0:0:0:0::/64')
    expect(networkOf('::1:2:3:4:5:6:7')).to.equal('0:1:2:3::/64')
    expect(networkOf('1::')).to.equal('1:0:0:0::/64')
  })

  it('leaves out on which interface an address was seen', () => {
    expect(networkOf('fe80::1%eth0')).to.equal('fe80:0:0:0::/64')
  })

  it('is that of the address, whatever port a proxy puts behind it', () => {
    for (const port of [1, 1000, 65535]) {
      expect(networkOf(`203.0.113.11:${port}`)).to.equal('203.0.113.11')
      expect(networkOf(`[2001:db8:0:7::1]:${port}`)).to.equal('2001:db8:0:7::/64')
    }
    expect(networkOf('"[2001:db8:0:7::1]:4711"')).to.equal('2001:db8:0:7::/64')
    expect(networkOf('"203.0.113.11:80"')).to.equal('203.0.113.11')
    expect(networkOf('203.0.113.11:')).to.equal('203.0.113.11')
    expect(networkOf('"203.0.113.11')).to.equal('unknown')
    expect(networkOf(' [2001:db8:0:7::1] ')).to.equal('2001:db8:0:7::/64')
    expect(networkOf('[::ffff:203.0.113.11]:9')).to.equal('203.0.113.11')
  })

  it('is one for all texts that are not addresses, so that a port in them does not choose another', () => {
    expect([networkOf(undefined), networkOf(''), networkOf('unknown')]).to.deep.equal(['', '', 'unknown'])
    const malformed = ['::ffff:203.0.113.11:1000', '203.0.113.11:100000', '203.0.113.11:x1', '203.0.113.11:1:2']
    expect(new Set(malformed.map(networkOf))).to.deep.equal(new Set(['unknown']))
  })
})
