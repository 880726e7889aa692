/** The settings of a service are checked before anything is opened, all at once, and in words. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createService, SettingsError } from '../../server/door.ts'
import { aFolder } from '../support/a-folder.ts'
import { overheardFailure } from '../support/overheard.ts'

const failureOf = (settings: object): Promise<unknown> =>
  overheardFailure(createService(settings as never)).then(
    () => expect.fail('it was made'),
    (failure: unknown) => failure,
  )

const BUCKET = {
  documents: 's3://papers',
  documentsEndpoint: 'https://s3.example',
  documentsKeyId: 'key',
  documentsSecret: 'canary',
}

describe('the settings of a service', () => {
  for (const [what, settings, error] of [
    ['an unknown one', { portt: 1 }, 'portt: there is no such setting'],
    ['a port that is none', { port: 'http' }, 'port: a whole number from 0 to 65535'],
    ['a flag as text', { sandbox: 'yes' }, 'sandbox: true or false'],
    ['an empty host', { host: '' }, 'host: text that is not empty'],
    ['a list as text', { trustProxy: '10.0.0.1' }, 'trustProxy: a list'],
    ['a text as number', { masterKey: 1 }, 'masterKey: text'],
    ['a seed that there is not', { seed: 'prod' }, 'seed: demo, or what a seed file contains'],
    ['a sender without a mail server', { smtpFrom: 'a@b.example' }, 'smtpFrom: needs smtpUrl'],
    [
      'a mail server with its password',
      { smtpUrl: 'smtp://user:canary@mail.example', smtpFrom: 'a@b.example', publicUrl: 'https://sign.example.org' },
      'smtpUrl: smtp://user@host:587 or smtps://user@host:465, without the password',
    ],
    [
      'a user at the mail server without a password',
      { smtpUrl: 'smtp://user@mail.example', smtpFrom: 'a@b.example', publicUrl: 'https://sign.example.org' },
      'smtpPassword: needed with a user in smtpUrl',
    ],
    [
      'a timestamp authority that would be told a password in the clear',
      { timestampUrl: 'http://clinic@time.example/tsa', timestampPassword: 'canary' },
      'timestampUrl: an http:// or https:// URL without a password; with a user, https:// alone',
    ],
    [
      'a user at the timestamp authority without a password',
      { timestampUrl: 'https://clinic@time.example/tsa' },
      'timestampPassword: needed with a user in timestampUrl',
    ],
    [
      'a header that would go to the timestamp authority in the clear',
      { timestampUrl: 'http://time.example/tsa', timestampHeader: 'X-Key: canary' },
      'timestampUrl: an https:// URL, because a header goes to it',
    ],
    ['a header for no authority', { timestampHeader: 'X-Key: canary' }, 'timestampHeader: needs timestampUrl'],
    [
      'a header of two lines',
      { timestampUrl: 'https://time.example', timestampHeader: 'X-Key: canary\nX-Other: 1' },
      'timestampHeader: one line: a name, a colon and a value',
    ],
    [
      'a bucket without the secret of its key',
      { documents: 's3://papers', documentsEndpoint: 'https://s3.example', documentsKeyId: 'canary' },
      'documentsSecret: needed with documents',
    ],
    [
      'a bucket with a path that is none',
      { ...BUCKET, documents: 's3://papers/a b' },
      'documents: s3://BUCKET or s3://BUCKET/PREFIX',
    ],
    [
      'a server of a bucket in the clear',
      { ...BUCKET, documentsEndpoint: 'http://s3.example' },
      'documentsEndpoint: an https:// URL without a path; http:// on this machine alone',
    ],
    ['a key for no bucket', { documentsKeyId: 'canary' }, 'documentsKeyId: needs documents'],
    ['a password for no proxy', { proxyPassword: 'canary' }, 'proxyPassword: needs proxy'],
    [
      'a user at the proxy without a password',
      { proxy: 'http://clinic@proxy.example:3128' },
      'proxyPassword: needed with a user in proxy',
    ],
    [
      'a proxy with its password',
      { proxy: 'http://clinic:canary@proxy.example:3128' },
      'proxy: http://user@host:3128 or https://, without the password and without a path',
    ],
    ['a wrong profile', { profile: { tokens: 'X' } }, 'profile.tokens: there is no such setting'],
  ] as const)
    it(`refuse ${what}`, async () => {
      const failure = await failureOf(settings)
      expect(failure).to.be.instanceOf(SettingsError)
      expect((failure as SettingsError).errors).to.deep.equal([error])
    })

  it('are refused together where one is wrong by itself and another one needs more', async () => {
    const error = await failureOf({ port: 'http', smtpUrl: 'smtp://mail.example', oidcIssuer: 'https://login.example' })
    expect((error as SettingsError).errors).to.deep.equal([
      'port: a whole number from 0 to 65535',
      'oidcClientId: needed with oidcIssuer',
      'oidcClientSecret: needed with oidcIssuer',
      'publicUrl: needed with oidcIssuer, and needed with smtpUrl',
      'smtpFrom: needed with smtpUrl',
    ])
  })

  it('are refused together, and nothing is left behind', async () => {
    const data = join(aFolder(), 'none')
    const failure = await failureOf({ data, sandbox: 1, retained: 'canary' })
    expect(failure).to.include({ name: 'SettingsError', code: 'INVALID_SETTINGS' })
    expect((failure as Error).message).to.equal(
      'The settings of the service are wrong: sandbox: true or false; retained: there is no such setting',
    )
    expect(existsSync(data)).to.equal(false)
  })
})
