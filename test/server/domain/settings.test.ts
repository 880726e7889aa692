/** Settings that need one another, and the form of single ones: what a service does not start with, and what it says is missing. */
import { expect } from 'chai'
import { bucketIn } from '../../../server/domain/bucket-place.ts'
import { isMasterKey, masterKeyIn, separated } from '../../../server/domain/master-key-form.ts'
import { scopesIn, scopesText } from '../../../server/domain/operator-scopes.ts'
import { proxyFor, proxyOf } from '../../../server/domain/proxy-place.ts'
import { mustHaveOne } from '../../../server/domain/second-factor.ts'
import { isMailServer } from '../../../server/domain/settings/mail-server.ts'
import { isProxy } from '../../../server/domain/settings/proxy.ts'
import { isAuthority, isHeader, isPem, timestampsTogether } from '../../../server/domain/settings/timestamp-settings.ts'
import {
  bucketTogether,
  mailTogether,
  proxyTogether,
  signOnTogether,
} from '../../../server/domain/settings/whole-settings.ts'
import { isPlace, isServer } from '../../../server/domain/store-place.ts'

const all = { right: [] as string[], wrong: [] as string[] }
function judged(judge: (text: string) => boolean, { right, wrong }: typeof all) {
  for (const text of right) expect(judge(text), text).to.equal(true)
  for (const text of wrong) expect(judge(text), text).to.equal(false)
}

describe('Settings that need one another', () => {
  const oidc = {
    oidcIssuer: 'https://id.example',
    oidcClientId: 'a',
    oidcClientSecret: 'b',
    publicUrl: 'https://s.example',
  }
  const { oidcIssuer, ...orphans } = oidc
  it('are those of single sign-on, without which passwords cannot end', () => {
    expect(signOnTogether(oidc)).to.deep.equal([])
    expect(signOnTogether({ ...oidc, passwords: 'off' })).to.deep.equal([])
    expect(signOnTogether({ oidcIssuer })).to.deep.equal(
      ['oidcClientId', 'oidcClientSecret', 'publicUrl'].map((name) => [name, 'needed with {oidcIssuer}']),
    )
    expect(signOnTogether({ ...oidc, publicUrl: undefined })).to.deep.equal([['publicUrl', 'needed with {oidcIssuer}']])
    expect(signOnTogether(orphans)).to.deep.equal([['oidcClientId', 'needs {oidcIssuer}']])
    expect(signOnTogether({ passwords: 'staff' })).to.deep.equal([
      ['passwords', 'needs {oidcIssuer}, or no one could sign in'],
    ])
    expect(signOnTogether({ oidcClientSecret: 'b', passwords: 'on' })).to.deep.equal([])
  })

  it('are those of mail', () => {
    const mail = { smtpUrl: 'smtp://mail.example', smtpFrom: 'a@b.example', publicUrl: 'https://s.example' }
    expect(mailTogether(mail)).to.deep.equal([])
    expect(mailTogether({ smtpUrl: mail.smtpUrl })).to.deep.equal([
      ['smtpFrom', 'needed with {smtpUrl}'],
      ['publicUrl', 'needed with {smtpUrl}'],
    ])
    const user = { ...mail, smtpUrl: 'smtp://user@mail.example' }
    expect(mailTogether(user)).to.deep.equal([['smtpPassword', 'needed with a user in {smtpUrl}']])
    expect(mailTogether({ ...user, smtpPassword: 'p' })).to.deep.equal([])
    for (const smtpUrl of ['ftp://user@mail.example', 7]) expect(mailTogether({ ...mail, smtpUrl })).to.deep.equal([])
    expect(mailTogether({ smtpFrom: 'a', smtpPassword: 'p', publicUrl: 'x' })).to.deep.equal([
      ['smtpFrom', 'needs {smtpUrl}'],
    ])
  })

  it('are those of a bucket', () => {
    const bucket = { documents: 's3://b', documentsEndpoint: 'https://s', documentsKeyId: 'k', documentsSecret: 's' }
    expect(bucketTogether(bucket)).to.deep.equal([])
    expect(bucketTogether({ documents: 's3://b' })).to.deep.equal(
      ['documentsEndpoint', 'documentsKeyId', 'documentsSecret'].map((name) => [name, 'needed with {documents}']),
    )
    expect(bucketTogether({ ...bucket, documents: undefined })).to.deep.equal([
      ['documentsEndpoint', 'needs {documents}'],
      ['documentsKeyId', 'needs {documents}'],
    ])
    expect(bucketTogether({ documentsSecret: 's' })).to.deep.equal([])
  })

  it('are those of a proxy', () => {
    expect(proxyTogether({ proxy: 'http://p.example', proxyResolves: true })).to.deep.equal([])
    expect(proxyTogether({ proxy: 'http://user@p.example' })).to.deep.equal([
      ['proxyPassword', 'needed with a user in {proxy}'],
    ])
    expect(proxyTogether({ proxy: 'http://user@p.example', proxyPassword: 'x' })).to.deep.equal([])
    expect(proxyTogether({ proxyPassword: 'x', proxyResolves: true })).to.deep.equal([
      ['proxyPassword', 'needs {proxy}'],
      ['proxyResolves', 'needs {proxy}'],
    ])
    expect(proxyTogether({ proxyResolves: false })).to.deep.equal([])
  })

  it('are those of a timestamp authority; a header and a user go over https alone, or to this machine', () => {
    const at = (timestampUrl: unknown, more: object = {}) => timestampsTogether({ timestampUrl, ...more })
    expect(at('http://tsa.example')).to.deep.equal([])
    expect(at(undefined, { timestampPassword: 'p', timestampHeader: 'h' })).to.deep.equal([
      ['timestampPassword', 'needs {timestampUrl}'],
      ['timestampHeader', 'needs {timestampUrl}'],
    ])
    expect(at('tsa', { timestampHeader: 'h' }), 'what is wrong by itself is named elsewhere').to.deep.equal([])
    expect(at('http://tsa.example', { timestampHeader: 'A: b' })).to.deep.equal([
      ['timestampUrl', 'an https:// URL, because a header goes to it'],
    ])
    expect(at('https://tsa.example', { timestampHeader: 'A: b' })).to.deep.equal([])
    expect(at('http://[::1]:8080', { timestampHeader: 'A: b' })).to.deep.equal([])
    expect(at('https://user@tsa.example')).to.deep.equal([
      ['timestampPassword', 'needed with a user in {timestampUrl}'],
    ])
    expect(at('https://user@tsa.example', { timestampPassword: 'p' })).to.deep.equal([])
  })
})

describe('The form of a setting', () => {
  it('is that of a timestamp authority, its header and its certificate', () => {
    judged(isAuthority, {
      right: [
        'http://tsa.example/tsr?a=1',
        'https://user@tsa.example',
        'http://user@127.0.0.1',
        'http://user@localhost',
      ],
      wrong: [
        'tsa.example',
        'ftp://tsa.example',
        'https://user:x@tsa.example',
        'https://tsa.example/#a',
        'http://user@tsa.example',
      ],
    })
    judged(isHeader, {
      right: ['Authorization: Basic abc=', 'X-Key:x', 'X:\t y z'],
      wrong: ['', 'X', 'X:', 'X: ', ': x', 'X Y: z', 'X: a\nY: b', 'X: ä', ' X: y'],
    })
    const body = 'MIIB\nabc='
    judged(isPem, {
      right: [`-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`],
      wrong: [
        '',
        body,
        '-----BEGIN CERTIFICATE----------END CERTIFICATE-----',
        `-----BEGIN PRIVATE KEY-----${body}-----END PRIVATE KEY-----`,
      ],
    })
  })

  it('is that of a proxy and of a mail server: a host, perhaps a user and a port, and nothing else', () => {
    const wrong = (scheme: string) => [
      ...['x', `${scheme}://`, 'ftp://h.example', `x${scheme}://h.example`, `${scheme}://user:p@h.example`],
      ...[`${scheme}://h.example/path`, `${scheme}://h.example/?q`, `${scheme}://h.example/#h`],
    ]
    judged(isProxy, { right: ['http://p.example:3128', 'https://user@p.example/'], wrong: wrong('http') })
    judged(isMailServer, {
      right: ['smtp://m.example:587', 'smtps://user@m.example', 'smtp://m.example/'],
      wrong: wrong('smtp'),
    })
  })

  it('is that of a store: a folder, a server, or memory, and no other URL', () => {
    judged(isServer, {
      right: ['postgres://h/d', 'postgresql://h'],
      wrong: ['postgres:/h', 'xpostgres://h', 'mysql://h', ''],
    })
    judged(isPlace, {
      right: ['./data', '/var/lib', ':memory:', 'C:\\data', 'postgres://h/d', 'a b'],
      wrong: ['', 'mysql://h', 'http://h', 'POSTGRES://h', 'file:x'],
    })
  })

  it('is that of a bucket, with its prefix', () => {
    expect(bucketIn('s3://docs')).to.deep.equal({ bucket: 'docs', prefix: '' })
    expect(bucketIn('s3://my.docs-1/')).to.deep.equal({ bucket: 'my.docs-1', prefix: '' })
    expect(bucketIn('s3://docs/a/b_c-d/')).to.deep.equal({ bucket: 'docs', prefix: 'a/b_c-d/' })
    const long = 'a'.repeat(63)
    expect(bucketIn(`s3://${long}`)?.bucket).to.equal(long)
    for (const text of [
      '',
      'docs',
      's3:/docs',
      'xs3://docs',
      's3://Docs',
      's3://a',
      's3://ab',
      `s3://${long}a`,
      's3://docs//a',
      's3://docs/a b',
      's3://-docs',
      's3://docs-',
      's3://docs/a?b',
    ])
      expect(bucketIn(text), text).to.equal(null)
  })

  it('is that of a master key: 32 bytes, as hexadecimal digits or Base64', () => {
    const key = Buffer.from(Array.from({ length: 32 }, (_, index) => index + 200))
    for (const text of [
      key.toString('hex'),
      key.toString('hex').toUpperCase(),
      key.toString('base64'),
      ` ${key.toString('base64')}\n`,
    ])
      expect(masterKeyIn(text)).to.deep.equal(key)
    for (const text of [
      '',
      key.toString('hex').slice(2),
      `${key.toString('hex')}00`,
      key.subarray(1).toString('base64'),
    ])
      expect([masterKeyIn(text), isMasterKey(text)], text).to.deep.equal([null, false])
    expect(isMasterKey(key.toString('hex'))).to.equal(true)
    expect(separated(' a, b ,,c,')).to.deep.equal(['a', 'b', 'c'])
  })

  it('is that of scopes and of who must have a second factor', () => {
    expect(scopesText(['keys', 'accounts'])).to.equal('accounts keys')
    expect(scopesText([])).to.equal('')
    expect(scopesIn('keys accounts x')).to.deep.equal(['accounts', 'keys'])
    expect(scopesIn('keysaccounts')).to.deep.equal([])
    const required = (of: 'nobody' | 'staff' | 'everybody') =>
      ['signer', 'admin', 'operator'].map((role) => mustHaveOne(of, role))
    expect([required('nobody'), required('staff'), required('everybody')]).to.deep.equal([
      [false, false, false],
      [false, true, true],
      [true, true, true],
    ])
  })
})

describe('A proxy', () => {
  const settings = { proxyBypass: ['*.lake.example', '10.0.0.0/8'], proxyResolves: true }
  it('has its password in its address, and is omitted where there is none', () => {
    expect(proxyOf({ ...settings })).to.equal(undefined)
    const proxy = proxyOf({ ...settings, proxy: 'http://user@p.example:3128', proxyPassword: 'a@b:c' })
    expect(proxy).to.deep.equal({
      ...{ url: 'http://user:a%40b%3Ac@p.example:3128/', bypass: settings.proxyBypass, resolves: true },
    })
    expect(proxyOf({ ...settings, proxy: 'http://p.example' })?.url).to.equal('http://p.example/')
  })

  it('is not used for this machine, nor for the hosts and ranges that are called directly', () => {
    const proxy = proxyOf({ ...settings, proxy: 'http://p.example' })
    for (const host of ['ehr.example', '192.0.2.1', 'lake.example', 'xlake.example'])
      expect(proxyFor(host, proxy), host).to.equal(proxy)
    for (const host of ['localhost', '127.0.0.9', '::1', 'a.lake.example', '10.1.2.3'])
      expect(proxyFor(host, proxy), host).to.equal(undefined)
    expect(proxyFor('ehr.example', undefined)).to.equal(undefined)
  })
})
