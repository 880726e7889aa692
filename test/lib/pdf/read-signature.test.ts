/** What `readSignature` says of documents that were sealed, changed, signed by others, or not signed. */
import { expect } from 'chai'
import { readSignature } from '../../../lib/pdf/read-signature.ts'
import { completeDocument } from '../../../server/pdf/complete.ts'
import { fixture } from '../../support/fixtures.ts'
import { aCompletion, aSealKey, SIGNED_AT } from '../../support/pdf/a-completion.ts'
import { aPdf } from '../../support/pdf/a-pdf.ts'
import { signedByOthers } from '../../support/sealed/signed-by-others.ts'

const NOTHING = { signer: null, onBehalfOf: null, signedAt: null, timestamp: null, isTest: false }
const VOSS = { name: 'Ian Voss MD', npi: '9999900018' }
const OWNER = { name: 'Ruth Ágnes Calder DO', npi: '9999900035' }

describe('readSignature', function () {
  this.timeout(60_000)
  let certificates: string
  before(async () => {
    certificates = (await aSealKey()).certificatePem
  })

  async function sealed(onBehalfOf: typeof OWNER | null, isTest = false): Promise<Buffer> {
    const { certificate, ...completion } = await aCompletion()
    const signer = { ...VOSS, organization: null, onBehalfOf }
    const result = await completeDocument(fixture('pdf/orders/libreoffice-order.pdf'), {
      ...completion,
      signer,
      certificate: { ...certificate, isTest },
    })
    if (!result.ok) throw new Error(result.problem)
    return Buffer.from(result.pdf)
  }

  it('says who signed, for whom and when, as the seal does', async () => {
    const signedAt = new Date(SIGNED_AT).toISOString()
    for (const [onBehalfOf, isTest] of [
      [null, false],
      [OWNER, true],
    ] as const) {
      const signature = await readSignature(await sealed(onBehalfOf, isTest), { certificates })
      expect(signature).to.deep.equal({ ...NOTHING, verdict: 'valid', signer: VOSS, onBehalfOf, signedAt, isTest })
    }
  })

  it('says nothing but the verdict of what no given certificate has sealed', async () => {
    const pdf = await sealed(OWNER)
    for (const given of [{}, { certificates: '' }])
      expect(await readSignature(pdf, given)).to.deep.equal({ ...NOTHING, verdict: 'unknown' })
    const other = await readSignature(await signedByOthers(await aPdf({})), { certificates })
    expect(other).to.deep.equal({ ...NOTHING, verdict: 'unknown' })
    const none = { ...NOTHING, verdict: 'none' }
    expect(await readSignature(await aPdf({}), { certificates })).to.deep.equal(none)
    expect(await readSignature(Buffer.from('<html>'), { certificates })).to.deep.equal(none)
  })

  it('finds a change of any byte, also of the names', async () => {
    const pdf = await sealed(OWNER)
    const places = [
      20,
      pdf.indexOf('CountersignSigner') + 30,
      pdf.indexOf('CountersignOnBehalfOfNPI') + 40,
      pdf.lastIndexOf('/M (D:') + 9,
      pdf.lastIndexOf('startxref') + 12,
    ]
    for (const at of [...places, pdf.lastIndexOf('/Contents <') + 60, Math.floor(pdf.length / 2)]) {
      const changed = Buffer.from(pdf)
      changed[at]! ^= 1
      expect(await readSignature(changed, { certificates }), String(at)).to.deep.equal({
        ...NOTHING,
        verdict: 'changed',
      })
    }
    const longer = Buffer.concat([pdf, Buffer.from('\n')])
    expect((await readSignature(longer, { certificates })).verdict).to.equal('changed')
  })

  it('says nothing of ours below a signature of another party, and reads the later one of two of ours', async () => {
    const others = await readSignature(await signedByOthers(await sealed(OWNER)), { certificates })
    expect(others).to.deep.equal({ ...NOTHING, verdict: 'unknown' })
    const { certificate, ...completion } = await aCompletion()
    const later = { ...completion, signer: { ...OWNER, organization: null, onBehalfOf: null } }
    const twice = await completeDocument(await sealed(null), { ...later, certificate })
    if (!twice.ok) throw new Error(twice.problem)
    const { signer, verdict, onBehalfOf } = await readSignature(twice.pdf, { certificates })
    expect({ signer, verdict, onBehalfOf }).to.deep.equal({ signer: OWNER, verdict: 'valid', onBehalfOf: null })
  })

  it('says nothing once anything is added, also where the added part changes nothing or claims another end', async () => {
    const pdf = await sealed(OWNER)
    const text = pdf.toString('latin1')
    const [root = ''] = /\/Root \d+ \d+ R/.exec(text.slice(text.lastIndexOf('/Root'))) ?? []
    const [size = ''] = /\/Size \d+/.exec(text.slice(text.lastIndexOf('/Size'))) ?? []
    const start = /startxref\s+(\d+)/.exec(pdf.subarray(-64).toString('latin1'))![1]
    for (const added of [
      `\nxref\n0 0\ntrailer\n<< ${root} ${size} /Prev ${start} >>\nstartxref\n${pdf.length}\n%%EOF\n`,
      '\n%%EOF\n',
      pdf.toString('latin1'),
    ])
      expect(await readSignature(Buffer.concat([pdf, Buffer.from(added, 'latin1')]), { certificates })).to.deep.equal({
        ...NOTHING,
        verdict: 'changed',
      })
  })

  it('refuses certificates that cannot be read', async () => {
    for (const wrong of ['not PEM', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n']) {
      const failure = await readSignature(await aPdf({}), { certificates: wrong }).catch((error) => error)
      expect(failure).to.be.instanceOf(TypeError)
    }
  })
})
