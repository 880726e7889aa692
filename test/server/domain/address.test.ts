/** Addresses and ranges, as the rules for receivers and senders read them. */
import { expect } from 'chai'
import { addressSet, parseAddress, parseRange } from '../../../server/domain/address.ts'
import { areTargets, bareHost, isAllowed, targetPolicy } from '../../../server/domain/delivery/target.ts'

const inRange = (range: string, address: string) => addressSet([parseRange(range)!])(parseAddress(address)!)

describe('An address', () => {
  it('is read in its shortest spelling, and IPv4 within IPv6 as what it represents', () => {
    expect(parseAddress('10.0.0.1')).to.deep.equal({ family: 'ipv4', text: '10.0.0.1' })
    expect(parseAddress('2001:DB8:0:0:0:0:0:1')).to.deep.equal({ family: 'ipv6', text: '2001:db8::1' })
    for (const text of ['::ffff:127.0.0.1', '::FFFF:7f00:1', '0:0:0:0:0:ffff:127.0.0.1'])
      expect(parseAddress(text), text).to.deep.equal({ family: 'ipv4', text: '127.0.0.1' })
    expect(parseAddress('::127.0.0.1')?.family).to.equal('ipv6')
    for (const text of ['', 'localhost', '10.0.0', '10.0.0.256', 'fe80::1%eth0', '127.1', '0x7f.0.0.1', '[::1]'])
      expect(parseAddress(text), text).to.equal(null)
  })

  it('lies in a range, or in that of one address alone', () => {
    expect(inRange('10.0.0.0/8', '10.255.255.255')).to.equal(true)
    expect(inRange('10.0.0.0/8', '11.0.0.0')).to.equal(false)
    for (const [range, own, other] of [
      ['10.0.0.1', '10.0.0.1', '10.0.0.0'],
      ['10.0.0.1/32', '10.0.0.1', '10.0.0.2'],
      ['2001:db8::1', '2001:db8::1', '2001:db8::2'],
      ['2001:db8::1/128', '2001:db8::1', '2001:db8::'],
      ['0.0.0.0/0', '9.9.9.9', '2001:db8::1'],
      ['::/0', '2001:db8::1', '9.9.9.9'],
    ] as const)
      expect([inRange(range, own), inRange(range, other)], range).to.deep.equal([true, false])
    for (const text of [
      '10.0.0.0/33',
      '::/129',
      '10.0.0.0/',
      '10.0.0.0/8/8',
      '/8',
      'lake/8',
      '10.0.0.0/-1',
      '10.0.0.0/1000',
      'x10.0.0.0/8',
    ])
      expect(parseRange(text), text).to.equal(null)
  })

  it('is compared without the brackets and the dot of a URL', () => {
    const hosts = ['https://[2001:db8::1]:8/a', 'https://Ehr.Example./', 'https://10.0.0.1'].map((url) =>
      bareHost(new URL(url)),
    )
    expect(hosts).to.deep.equal(['2001:db8::1', 'ehr.example', '10.0.0.1'])
  })

  it('or host is allowed when it is named, and what is neither is wrong', () => {
    const policy = targetPolicy(false, ['EHR.lake.example', '*.hospital.example', '10.0.0.0/8', '[2001:db8::1]'])
    expect([policy.wrong, policy.hosts]).to.deep.equal([[], ['ehr.lake.example', '*.hospital.example']])
    for (const host of ['ehr.lake.example', 'a.hospital.example', '10.9.9.9', '2001:db8::1'])
      expect(isAllowed(host, policy), host).to.equal(true)
    for (const host of ['x.ehr.lake.example', 'hospital.example', 'xhospital.example', '11.0.0.1', '2001:db8::2'])
      expect(isAllowed(host, policy), host).to.equal(false)
    const wrong = ['http://a.example', 'a b', '*', 'a..b', '-a.example', 'a-.example', '10.0.0.0/33', 'a.*.example']
    expect(targetPolicy(false, ['a.example', ...wrong])).to.deep.include({ wrong, hosts: ['a.example'] })
    expect([areTargets(['a.example', '10.0.0.1']), areTargets(['a.example', 'a b'])]).to.deep.equal([true, false])
  })
})
