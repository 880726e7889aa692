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
    ['a list as text', { trustedProxies: '10.0.0.1' }, 'trustedProxies: a list'],
    ['a text as number', { masterKey: 1 }, 'masterKey: text'],
    ['a seed that there is not', { seed: 'prod' }, 'seed: demo is the only one there is'],
    ['a sender without a mail server', { smtpFrom: 'a@b.example' }, 'smtpFrom: needs --smtp-url'],
    [
      'a mail server with its password',
      { smtpUrl: 'smtp://user:canary@mail.example', smtpFrom: 'a@b.example', publicUrl: 'https://sign.example.org' },
      'smtpUrl: smtp://user@host:587 or smtps://user@host:465, without the password',
    ],
    [
      'a user at the mail server without a password',
      { smtpUrl: 'smtp://user@mail.example', smtpFrom: 'a@b.example', publicUrl: 'https://sign.example.org' },
      'smtpUrl: set COUNTERSIGN_SMTP_PASSWORD to the password of the user, or give --smtp-password-file',
    ],
    [
      'a timestamp authority that would be told a password in the clear',
      { timestampUrl: 'http://clinic@time.example/tsa', timestampPassword: 'canary' },
      'timestampUrl: an http:// or https:// URL without a password; with a user, https:// alone',
    ],
    [
      'a user at the timestamp authority without a password',
      { timestampUrl: 'https://clinic@time.example/tsa' },
      'timestampUrl: set COUNTERSIGN_TIMESTAMP_PASSWORD to the password of the user, or give --timestamp-password-file',
    ],
    [
      'a header that would go to the timestamp authority in the clear',
      { timestampUrl: 'http://time.example/tsa', timestampHeader: 'X-Key: canary' },
      'timestampUrl: an https:// URL, because a header goes to it',
    ],
    ['a header for no authority', { timestampHeader: 'X-Key: canary' }, 'timestampHeader: needs --timestamp-url'],
    [
      'a header of two lines',
      { timestampUrl: 'https://time.example', timestampHeader: 'X-Key: canary\nX-Other: 1' },
      'timestampHeader: one line: a name, a colon and a value',
    ],
    [
      'a bucket without the secret of its key',
      { documents: 's3://papers', documentsEndpoint: 'https://s3.example', documentsKeyId: 'canary' },
      'documents: set COUNTERSIGN_DOCUMENTS_SECRET to the secret of the key, or give --documents-secret-file',
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
    ['a key for no bucket', { documentsKeyId: 'canary' }, 'documentsKeyId: needs --documents'],
    ['a wrong profile', { profile: { tokens: 'X' } }, 'profile.tokens: there is no such setting'],
  ] as const)
    it(`refuse ${what}`, async () => {
      const failure = await failureOf(settings)
      expect(failure).to.be.instanceOf(SettingsError)
      expect((failure as SettingsError).errors).to.deep.equal([error])
    })

  it('are refused together, and nothing is left behind', async () => {
    const data = join(aFolder(), 'none')
    const failure = await failureOf({ data, sandbox: 1, retain: 'canary' })
    expect(failure).to.include({ name: 'SettingsError', code: 'INVALID_SETTINGS' })
    expect((failure as Error).message).to.equal(
      'The settings of the service are wrong: sandbox: true or false; retain: there is no such setting',
    )
    expect(existsSync(data)).to.equal(false)
  })
})
