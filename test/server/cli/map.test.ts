import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { aFolder } from '../../support/a-folder.ts'
import { aBundle, document, patient, practitioner } from '../../support/hl7/a-bundle.ts'
import { anOrder } from '../../support/hl7/an-order.ts'
import { countersign } from '../../support/service/served.ts'

describe('countersign map', () => {
  const folder = aFolder()
  const file = (name: string, content: string | Uint8Array) => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  const map = file('map.json', JSON.stringify({ documentTypes: { CMS485: { documentTypeId: 101 } } }))
  const message = file('order.hl7', anOrder())

  it('prints the request that a message becomes', async () => {
    const { code, stdout, stderr } = await countersign(['map', '--from', 'hl7', '--map', map, message])
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).to.deep.include({ ok: true, action: 'create' })
    expect(JSON.parse(stdout).body.patient.externalId).to.equal('WILLOW|WC100098')
  })

  it('reads standard input, and prints why a message is held', async () => {
    const { code, stdout } = await countersign(['map', '--from', 'hl7', '-'], {}, Buffer.from(anOrder()).toString())
    expect({ code, said: JSON.parse(stdout) }).to.deep.equal({
      code: 1,
      said: { ok: false, held: ['TXA-2: the code "CMS485" is not in the table of document types'] },
    })
  })

  it('reads FHIR, and holds what is not JSON', async () => {
    const bundle = file('bundle.json', JSON.stringify(aBundle(document, patient, practitioner)))
    const answers = await Promise.all([bundle, message].map((one) => countersign(['map', '--from', 'fhir', one])))
    expect(answers.map(({ code, stdout }) => ({ code, ...JSON.parse(stdout) }))).to.deep.equal([
      {
        code: 1,
        ok: false,
        held: ['DocumentReference.type: none of the codes "52030-8" is in the table of document types'],
      },
      { code: 1, ok: false, held: ['resourceType: the message is no resource of FHIR'] },
    ])
  })

  const wrong: [fault: string, args: string[], says: string][] = [
    ['another kind', ['--from', 'cda', message], '--from: one of hl7, fhir'],
    ['no kind', [message], '--from is required'],
    [
      'a file that is not there',
      ['--from', 'hl7', join(folder, 'none')],
      'the message: this file cannot be read (ENOENT).',
    ],
    ['a map that is no JSON', ['--from', 'hl7', '--map', message, message], '--map: this file is not JSON.'],
    [
      'a map with mistakes',
      ['--from', 'hl7', '--map', file('wrong.json', '{"ssn":"all","pdfs":"first"}'), message],
      '--map: ssn: one of never, last4, full; pdfs: there is no such setting',
    ],
  ]
  for (const [fault, args, says] of wrong)
    it(`is refused with ${fault}`, async () => {
      const { code, stdout, stderr } = await countersign(['map', ...args])
      expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' })
      expect(stderr).to.contain(says)
    })
})
