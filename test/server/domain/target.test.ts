import { expect } from 'chai'
import { receiverUrlProblem } from '../../../server/domain/delivery/receiver-url.ts'
import { mayConnect, targetPolicy } from '../../../server/domain/delivery/target.ts'
import { PUBLIC, RANGES } from './addresses.ts'

const STRICT = targetPolicy(false, [])
const LOCAL = targetPolicy(true, [])

const inUrl = (address: string) => (address.includes(':') ? `[${address}]` : address)

describe('addresses that may not be called', () => {
  for (const [range, addresses] of Object.entries(RANGES))
    it(`${range}: refused as an answer of a name server, and as it stands in a URL`, () => {
      for (const address of addresses) {
        expect(mayConnect('ehr.example.org', address, STRICT), address).to.equal(false)
        expect(mayConnect('ehr.example.org', address, LOCAL), address).to.equal(false)
        expect(receiverUrlProblem(`https://${inUrl(address)}/`, STRICT), address).to.match(/^url: a public host/)
      }
    })

  it('an IPv4 address that IPv6 maps is the IPv4 address', () => {
    for (const address of ['::ffff:127.0.0.1', '::ffff:7f00:1', '::FFFF:10.0.0.1', '0:0:0:0:0:ffff:a9fe:a9fe'])
      expect(mayConnect('ehr.example.org', address, STRICT), address).to.equal(false)
  })

  it('what cannot be read as an address is refused', () => {
    for (const address of [
      '',
      'localhost',
      '1.2.3',
      '1.2.3.256',
      '010.0.0.1',
      '8.8.8.010',
      '0x8.8.8.8',
      '1:2:3:4:5:6:7:8:9',
      '::ffff:8.8.8.8%eth0',
      '1::2::3',
      '12345::',
      ':::',
      'fe80::1%eth0',
      '1:2:3:4:5:6:7',
    ])
      expect(mayConnect('ehr.example.org', address, STRICT), address).to.equal(false)
  })

  it('public addresses pass', () => {
    for (const address of PUBLIC) {
      expect(mayConnect('ehr.example.org', address, STRICT), address).to.equal(true)
      expect(receiverUrlProblem(`https://${inUrl(address)}/`, STRICT), address).to.equal(null)
    }
  })

  for (const host of [
    '0x7f.1',
    '2130706433',
    '0177.0.0.1',
    '127.1',
    '127.0.0.1.',
    '１２７.０.０.１',
    '127。0。0。1',
    '0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[2002:7f00:1::]',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'ehr.localhost',
  ])
    it(`every spelling of this machine: ${host}`, () => {
      expect(receiverUrlProblem(`https://${host}/`, STRICT)).to.match(/^url: a public host/)
    })
})

describe('the URL of a receiver', () => {
  for (const [url, problem] of [
    ['ehr.example.org/callbacks', 'url: an absolute https URL'],
    ['/callbacks', 'url: an absolute https URL'],
    ['ftp://ehr.example.org/', 'url: an absolute https URL'],
    ['file:///etc/passwd', 'url: an absolute https URL'],
    ['javascript:alert(1)', 'url: an absolute https URL'],
    ['https:ehr.example.org', 'url: an absolute https URL'],
    ['https://ehr.example.org\n/', 'url: an absolute https URL'],
    ['https://user:word@ehr.example.org/', 'url: without user name and password'],
    ['https://ehr.example.org/#here', 'url: without a fragment (#…)'],
    ['http://ehr.example.org/', 'url: an https URL; plain http is not accepted'],
    ['http://127.0.0.1:8080/', 'url: an https URL; plain http is not accepted'],
  ] as const)
    it(`${JSON.stringify(url)} → ${problem}`, () => {
      expect(receiverUrlProblem(url, STRICT)).to.equal(problem)
    })

  it('ports of other services are refused, 443 and those from 1024 pass', () => {
    for (const port of [1, 22, 25, 80, 587, 1023])
      expect(receiverUrlProblem(`https://ehr.example.org:${port}/`, STRICT), String(port)).to.match(/^url: port 443/)
    for (const port of [443, 1024, 8443, 65535])
      expect(receiverUrlProblem(`https://ehr.example.org:${port}/`, STRICT), String(port)).to.equal(null)
  })
})

describe('plain http, where it is allowed', () => {
  it('reaches this machine and nobody else', () => {
    for (const host of ['127.0.0.1', '127.9.9.9', '[::1]', 'localhost', 'localhost.', '127.1'])
      expect(receiverUrlProblem(`http://${host}:8099/`, LOCAL), host).to.equal(null)
    for (const host of ['10.0.0.1', '8.8.8.8', 'ehr.example.org', '0.0.0.0', '[::ffff:10.0.0.1]'])
      expect(receiverUrlProblem(`http://${host}:8099/`, LOCAL), host).to.match(/this machine only/)
    expect(mayConnect('localhost', '127.0.0.1', LOCAL)).to.equal(true)
    expect(mayConnect('localhost', '::1', LOCAL)).to.equal(true)
  })

  it('a name that merely resolves to this machine stays refused', () => {
    expect(mayConnect('rebind.example', '127.0.0.1', LOCAL)).to.equal(false)
    expect(mayConnect('localhost', '10.0.0.1', LOCAL)).to.equal(false)
  })
})

describe('receivers that the operator allows', () => {
  const policy = targetPolicy(false, [
    'ehr.hospital.example',
    '*.clinic.example',
    '10.20.0.0/16',
    '192.168.7.7',
    'fd12::/32',
  ])

  it('by host name, at any address and port', () => {
    expect(receiverUrlProblem('https://ehr.hospital.example:81/', policy)).to.equal(null)
    expect(receiverUrlProblem('https://EHR.hospital.example./', policy)).to.equal(null)
    expect(mayConnect('ehr.hospital.example', '10.1.1.1', policy)).to.equal(true)
    expect(mayConnect('a.b.clinic.example', '127.0.0.1', policy)).to.equal(true)
    for (const other of ['clinic.example', 'xehr.hospital.example', 'evilclinic.example'])
      expect(mayConnect(other, '10.1.1.1', policy), other).to.equal(false)
  })

  it('by range, not by name', () => {
    expect(mayConnect('anything.example', '10.20.255.255', policy)).to.equal(true)
    expect(mayConnect('anything.example', '10.21.0.0', policy)).to.equal(false)
    expect(mayConnect('anything.example', 'fd12:0:1::1', policy)).to.equal(true)
    expect(receiverUrlProblem('https://10.20.3.4:81/', policy)).to.equal(null)
    expect(receiverUrlProblem('https://192.168.7.7/', policy)).to.equal(null)
    expect(receiverUrlProblem('https://192.168.7.8/', policy)).to.match(/public host/)
    expect(receiverUrlProblem('http://10.20.3.4/', policy)).to.match(/plain http/)
  })

  it('by range, also where IPv6 maps it, and down to all of a family', () => {
    const mapped = targetPolicy(false, ['::ffff:10.0.0.0/8'])
    expect(mayConnect('anything.example', '10.1.2.3', mapped)).to.equal(true)
    expect(mayConnect('anything.example', '::ffff:10.1.2.3', mapped)).to.equal(true)
    const all = targetPolicy(false, ['0.0.0.0/0'])
    expect(mayConnect('anything.example', '127.0.0.1', all)).to.equal(true)
    expect(mayConnect('anything.example', '::1', all), 'of the other family').to.equal(false)
  })

  it('an entry that is neither is told', () => {
    expect(
      targetPolicy(false, [
        '10.0.0.0/33',
        'fd00::/129',
        'fe80::1%eth0/10',
        'https://ehr.example/',
        'ehr example',
        'ok.example',
      ]).wrong,
    ).to.deep.equal(['10.0.0.0/33', 'fd00::/129', 'fe80::1%eth0/10', 'https://ehr.example/', 'ehr example'])
  })
})
