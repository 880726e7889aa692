/** Addresses of keys that seal from elsewhere. */
import { expect } from 'chai'
import { externalKeyIn, isSecretOf } from '../../../server/domain/external-key.ts'

const MODULE = '?module-path=/usr/lib/softhsm/libsofthsm2.so'
const ARN = 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab'
const VERSION = 'projects/harbor/locations/us/keyRings/seals/cryptoKeys/seal/cryptoKeyVersions/3'

describe('the address of a key elsewhere', () => {
  for (const [text, place] of [
    [
      `pkcs11:token=Harbor%20hospital;id=%A0%b1${MODULE}`,
      { kind: 'pkcs11', module: '/usr/lib/softhsm/libsofthsm2.so', token: 'Harbor hospital', id: 'a0b1' },
    ],
    [
      `pkcs11:type=private;id=%01;token=t%3Bt${MODULE}`,
      { kind: 'pkcs11', module: '/usr/lib/softhsm/libsofthsm2.so', token: 't;t', id: '01' },
    ],
    [
      `awskms:///${ARN}`,
      { kind: 'aws', arn: ARN, region: 'eu-central-1', endpoint: new URL('https://kms.eu-central-1.amazonaws.com') },
    ],
    [
      `awskms:///${ARN.replace('aws:kms:eu-central-1', 'aws-cn:kms:cn-north-1')}`,
      {
        kind: 'aws',
        arn: ARN.replace('aws:kms:eu-central-1', 'aws-cn:kms:cn-north-1'),
        region: 'cn-north-1',
        endpoint: new URL('https://kms.cn-north-1.amazonaws.com.cn'),
      },
    ],
    [
      `gcpkms://${VERSION}?endpoint=https://kms.example`,
      { kind: 'google', name: VERSION, endpoint: new URL('https://kms.example') },
    ],
  ] as const)
    it(`is read: ${text}`, () => expect(externalKeyIn(text)).to.deep.equal(place))

  for (const [what, text] of [
    ['no module', 'pkcs11:token=t;id=%01'],
    ['no token', `pkcs11:id=%01${MODULE}`],
    ['two tokens', `pkcs11:token=t;token=u;id=%01${MODULE}`],
    ['a label, by which no key is found', `pkcs11:token=t;object=seal${MODULE}`],
    ['an attribute that would narrow it further', `pkcs11:token=t;id=%01;serial=7${MODULE}`],
    ['an id that is not written as bytes', `pkcs11:token=t;id=01${MODULE}`],
    ['a public key', `pkcs11:token=t;id=%01;type=public${MODULE}`],
    ['text that is not percent-encoded', `pkcs11:token=%E0%A4;id=%01${MODULE}`],
    ['a PIN in the address', `pkcs11:token=t;id=%01${MODULE}&pin-value=1234`],
    ['a key of AWS without its region', 'awskms:///1234abcd-12ab-34cd-56ef-1234567890ab'],
    ['an endpoint without TLS', `awskms:///${ARN}?endpoint=http://kms.example`],
    ['an endpoint with a path', `awskms:///${ARN}?endpoint=https://kms.example/other`],
    ['a key of Google without its version', `gcpkms://${VERSION.replace('/cryptoKeyVersions/3', '')}`],
    ['something else', 'azurekms://vault/key'],
  ] as const)
    it(`is none: ${what}`, () => expect(externalKeyIn(text)).to.equal(null))

  it('takes a secret of its kind', () => {
    const account = JSON.stringify({ client_email: 'a@b.example', private_key: 'PEM', private_key_id: '7' })
    const secrets = ['4711', 'AKIAIOSFODNN7EXAMPLE:wJalrXUtnFEMIxK7MDENGxbPxRfiCYEXAMPLEKEY', account]
    const taken = [`pkcs11:token=t;id=%01${MODULE}`, `awskms:///${ARN}`, `gcpkms://${VERSION}`].map((text) =>
      secrets.map((secret) => isSecretOf(externalKeyIn(text)!, secret)),
    )
    expect(taken).to.deep.equal([
      [true, true, true],
      [false, true, false],
      [false, false, true],
    ])
  })
})
