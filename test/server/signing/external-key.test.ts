/** Seals whose key is in a device or in another service. */
import { createHash, createHmac, generateKeyPairSync, verify } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { aFolder } from '../../support/a-folder.ts'
import { verifiedAt } from '../../support/sealed/verified-at.ts'
import { aToken, softHsm, TOKEN_PIN } from '../../support/seen/a-token.ts'
import { installed, opensslIn, pdfsigAnswers, qpdfComplaints, runTool } from '../../support/seen/external-checks.ts'
import { aService, createOverheard, type TestService } from '../../support/service/a-service.ts'
import { aWaitingOrder } from '../../support/service/a-waiting-order.ts'

type Settings = Parameters<typeof aService>[0]

async function signedBy(service: TestService): Promise<Buffer> {
  const taskId = await aWaitingOrder(service)
  await service.signs(taskId)
  const query = { includeOutputAttachment: true }
  const { output } = await service.client.readTask({ params: { id: taskId }, query })
  return Buffer.from(output!.attachment!, 'base64')
}

/** Signs a document by a service with these settings, and looks at its seal. */
async function mustSeal(settings: Settings): Promise<void> {
  const service = await aService(settings)
  try {
    const signed = await signedBy(service)
    const { body } = await verifiedAt(service.baseUrl, signed)
    expect([body.valid, body.signatures[0]?.isPinned]).to.deep.equal([true, true])
    if (installed.pdfsig) expect(pdfsigAnswers(signed)).to.deep.equal([{ isValid: true, isTotal: true }])
    if (installed.qpdf) expect(qpdfComplaints(signed)).to.deep.equal([])
  } finally {
    await service.stop()
  }
}

/** What the signer reads when the key does not sign; the document waits as before. */
async function whyNotSigned(service: TestService): Promise<string> {
  const taskId = await aWaitingOrder(service)
  const { status, errors } = await service.ask('POST', `/sandbox/v1/tasks/${taskId}/sign`)
  expect(status).to.equal(503)
  expect((await service.client.readTask({ params: { id: taskId } })).status).to.equal('Pending')
  return errors.join()
}

const why = (problem: string) =>
  `The document was not signed: it needs its seal, and the key that seals documents ${problem}. What you filled in is kept.`

/** Only where SoftHSM and OpenSC are installed. */
if (softHsm)
  describe('a key in a device that speaks PKCS #11', function () {
    this.timeout(60_000)
    const folder = aFolder()
    let token: ReturnType<typeof aToken>
    before(() => {
      token = aToken(folder)
    })
    after(() => delete process.env.SOFTHSM2_CONF)

    const at = (object: string, name = 'Harbor%20hospital') =>
      `pkcs11:token=${name};${object}?module-path=${encodeURIComponent(softHsm!)}`
    const settings = (sealKey: string, sealCertificate: string, sealKeySecret = TOKEN_PIN) => ({
      sealKey,
      sealCertificate,
      sealKeySecret,
    })

    it('seals, when it is an EC key', () => mustSeal(settings(at('id=%01'), token.ec.certificate)))

    it('seals, when it is an RSA key', () => mustSeal(settings(at('id=%a0%B1;type=private'), token.rsa.certificate)))

    for (const [what, key, pin, problem] of [
      ['the PIN is wrong', 'id=%01', 'wrong-canary', 'refused'],
      ['the device has no such key', 'id=%02', TOKEN_PIN, 'refused'],
    ] as const)
      it(`seals nothing when ${what}: the service runs, says why, and the document waits`, async () => {
        const service = await aService(settings(at(key), token.ec.certificate, pin))
        try {
          expect(await whyNotSigned(service)).to.contain(
            why(`was not used, because the device or service that holds it ${problem}`),
          )
        } finally {
          await service.stop()
        }
      })
  })

type Conduct = 'good' | 'away' | 'refuses' | 'otherKey' | 'garbage'

const ARN = 'arn:aws:kms:us-east-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab'
const AWS = { id: 'AKIAIOSFODNN7EXAMPLE', secret: 'wJalrXUtnFEMIxK7MDENGxbPxRfiCYEXAMPLEKEY' }
const VERSION = 'projects/harbor/locations/us/keyRings/seals/cryptoKeys/seal/cryptoKeyVersions/3'
const account = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ACCOUNT = JSON.stringify({
  type: 'service_account',
  client_email: 'seal@harbor.example',
  private_key_id: 'key-7',
  private_key: account.privateKey.export({ type: 'pkcs8', format: 'pem' }),
})

/** Is it signed as AWS documents it (Signature Version 4)? Written from the documentation, not with the library that signs. */
function isOfAws({ headers, method, url }: IncomingMessage, body: string): boolean {
  const [, id, day, names = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=(\w+)\/(\d{8})\/us-east-1\/kms\/aws4_request, SignedHeaders=([\w;-]+), Signature=(\w{64})$/.exec(
      headers.authorization ?? '',
    ) ?? []
  const sha256 = (value: string) => createHash('sha256').update(value).digest('hex')
  const hmac = (key: string | Buffer, value: string) => createHmac('sha256', key).update(value).digest()
  const canonical = names.split(';').map((name) => `${name}:${String(headers[name])}\n`)
  const request = [method, url, '', canonical.join(''), names, sha256(body)].join('\n')
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], `${day}/us-east-1/kms/aws4_request`, sha256(request)].join(
    '\n',
  )
  const key = [day ?? '', 'us-east-1', 'kms', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${AWS.secret}`)
  const mustBeSigned = ['host', 'x-amz-date', 'x-amz-target'].every((name) => names.split(';').includes(name))
  const asks =
    headers['x-amz-target'] === 'TrentService.Sign' && headers['content-type'] === 'application/x-amz-json-1.1'
  return id === AWS.id && mustBeSigned && asks && hmac(key, text).toString('hex') === signature
}

/** Is it a token that the account has signed for Google's service? */
function isOfGoogle({ headers, url }: IncomingMessage): boolean {
  const [head = '', claims = '', signature = ''] = (headers.authorization ?? '').replace(/^Bearer /, '').split('.')
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
  const { iss, sub, aud, iat, exp } = read(claims)
  const isSigned = verify(
    'RSA-SHA256',
    Buffer.from(`${head}.${claims}`),
    account.publicKey,
    Buffer.from(signature, 'base64url'),
  )
  const isWhole = iss === 'seal@harbor.example' && sub === iss && aud === 'https://cloudkms.googleapis.com/'
  const life = Number(exp) - Number(iat)
  return (
    isSigned &&
    isWhole &&
    read(head).kid === 'key-7' &&
    life > 0 &&
    life <= 3600 &&
    url === `/v1/${VERSION}:asymmetricSign`
  )
}

const services = [
  {
    name: 'AWS Key Management Service',
    newKey: ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
    address: (url: string) => `awskms:///${ARN}?endpoint=${url}/`,
    secret: `${AWS.id}:${AWS.secret}`,
    isAllowed: isOfAws,
    digestOf: (asked: Record<string, unknown>) => {
      expect(asked).to.include({ KeyId: ARN, MessageType: 'DIGEST', SigningAlgorithm: 'ECDSA_SHA_256' })
      return String(asked.Message)
    },
    answer: (signature: string) => ({ KeyId: ARN, Signature: signature, SigningAlgorithm: 'ECDSA_SHA_256' }),
  },
  {
    name: 'Google Cloud Key Management Service',
    newKey: ['rsa:2048'],
    address: (url: string) => `gcpkms://${VERSION}?endpoint=${url}/`,
    secret: ACCOUNT,
    isAllowed: isOfGoogle,
    digestOf: ({ digest }: Record<string, unknown>) => (digest as { sha256: string }).sha256,
    answer: (signature: string) => ({ signature, name: VERSION }),
  },
]

for (const { name, newKey, address, secret, isAllowed, digestOf, answer } of services)
  describe(`a key in ${name}`, function () {
    if (!installed.openssl) return void it('needs openssl')
    this.timeout(60_000)
    const folder = aFolder()
    let conduct: Conduct = 'good'
    let server: Server
    let settings: { sealKey: string; sealCertificate: string; sealKeySecret: string }
    const certified = (key: string) =>
      opensslIn(folder, 'req', '-x509', '-nodes', '-newkey', ...newKey, '-subj', `/CN=${key}`, '-keyout', `${key}.key`)

    /** The raw signature of a digest, which Node.js does not make. */
    function signedDigest(digest: Buffer, key: string): Buffer {
      writeFileSync(join(folder, 'digest'), digest)
      const files = [
        '-inkey',
        join(folder, `${key}.key`),
        '-in',
        join(folder, 'digest'),
        '-out',
        join(folder, 'signature'),
      ]
      runTool('openssl', ['pkeyutl', '-sign', ...files, '-pkeyopt', 'digest:sha256'])
      return readFileSync(join(folder, 'signature'))
    }

    before(async () => {
      const certificate = certified('ours')
      certified('other')
      server = createServer(async (request, response) => {
        const body = await text(request)
        if (conduct === 'away') return response.writeHead(503).end()
        if (!isAllowed(request, body) || conduct === 'refuses')
          return response.writeHead(400).end('{"__type":"AccessDenied"}')
        if (conduct === 'garbage') return response.end('<html>')
        const digest = Buffer.from(digestOf(JSON.parse(body)), 'base64')
        const signature = signedDigest(digest, conduct === 'otherKey' ? 'other' : 'ours')
        response.end(JSON.stringify(answer(signature.toString('base64'))))
      })
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
      const sealKey = address(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
      settings = { sealKey, sealCertificate: certificate, sealKeySecret: secret }
    })
    after(() => server?.close())

    it('seals', () => {
      conduct = 'good'
      return mustSeal(settings)
    })

    it('seals nothing while it does not sign: the document waits, and is sealed once it does', async () => {
      conduct = 'good'
      const service = await aService(settings)
      try {
        for (const [next, problem] of [
          ['away', 'could not be reached'],
          ['refuses', 'was not used, because the device or service that holds it refused'],
          ['garbage', 'is held by a device or service that gave an answer without a signature'],
          ['otherKey', 'is not the one of the seal certificate'],
        ] as const) {
          conduct = next
          expect(await whyNotSigned(service)).to.contain(why(problem))
        }
        conduct = 'good'
        expect((await signedBy(service)).length).to.be.above(0)
      } finally {
        await service.stop()
      }
    })

    it('does not keep the service from starting while it is away, but does when it is another one', async () => {
      conduct = 'away'
      await (await aService(settings)).stop()
      conduct = 'otherKey'
      const failure = await createOverheard({ data: ':memory:', sandbox: true, ...settings }).then(
        () => 'it started',
        (error: Error) => error.message,
      )
      expect(failure).to.equal('The key of sealKey is not the one of sealCertificate.')
    })
  })
